import { z } from 'zod';
import { defineEvent } from '../event.ts';

// These events are only for statistics and tracing. So they contain no address and no text of the message.
const message = {
  channel: z.enum(['IN_APP', 'EMAIL', 'SMS', 'PUSH']),
  category: z.string(),
  template: z.string(),
  userId: z.string().nullable(),
  segment: z
    .enum(['trade', 'retail', 'guest'])
    .optional()
    .meta({ description: 'Of the recipient; `guest` for an address of no known user. Missing for administrators.' }),
};

export const notificationRequested = defineEvent(
  'engagement.notification-requested',
  'A message is to be sent; `recorded` where it is only kept, because its channel is not connected or the user has switched it off.',
  z.object({ ...message, recorded: z.boolean() }),
);

export const notificationDelivered = defineEvent(
  'engagement.notification-delivered',
  'The message was handed over: to the mail server, or into the list of the user.',
  z.object({ ...message, attempts: z.int() }),
);

export const notificationFailed = defineEvent(
  'engagement.notification-failed',
  'The message will not be sent, and why.',
  z.object({ ...message, attempts: z.int(), reason: z.string() }),
);

export const notificationRead = defineEvent(
  'engagement.notification-read',
  'A user read a notification of their own list in the app for the first time. The subject is the notification. Notifications of a role are left out.',
  z.object({
    ...message,
    requestedAt: z.iso.datetime(),
    readAt: z.iso.datetime(),
  }),
);

export const factsHeartbeat = defineEvent(
  'engagement.facts-heartbeat',
  'Comes through the queue of facts behind the events that were published before it, so that reports can say how new they are. Not stored: the next one follows within seconds.',
  z.object({}),
);

export const notificationsChanged = defineEvent(
  'engagement.notifications-changed',
  'The in-app notifications of the subject, which is a user or a role, have changed, and those of `audiences`. Not stored: an instance that misses it looks for changes by itself within seconds.',
  z.object({ audiences: z.array(z.string()) }),
);

export const campaignActivated = defineEvent(
  'engagement.campaign-activated',
  'Staff activated a campaign, or go on with a paused one; it applies from `startsAt` on.',
  z.object({
    name: z.string(),
    trigger: z.enum(['automatic', 'code']),
    segment: z.enum(['all', 'retail', 'trade']),
    startsAt: z.iso.datetime(),
    endsAt: z.iso.datetime().nullable(),
  }),
);

export const campaignEnded = defineEvent(
  'engagement.campaign-ended',
  'A campaign is over for good: staff ended it, or its end has come.',
  z.object({ name: z.string(), reason: z.enum(['ended-by-administrator', 'end-reached']), endedAt: z.iso.datetime() }),
);

/** The discounts of an order, in minor units. The event contains no name and no address. */
const redeemed = {
  orderRef: z.string(),
  userId: z.string().nullable(),
  segment: z.enum(['retail', 'trade']),
  currency: z.string(),
  subtotal: z.int(),
  discount: z.int(),
  shippingDiscount: z.int(),
  total: z.int(),
  campaigns: z.array(z.object({ campaignId: z.string(), code: z.string().nullable(), amount: z.int() })),
};

export const discountRedeemed = defineEvent(
  'engagement.discount-redeemed',
  'The discounts of an order were taken: for good, or held until `heldUntil`; null: until the order is placed or cancelled.',
  z.object({ ...redeemed, status: z.enum(['held', 'confirmed']), heldUntil: z.iso.datetime().nullable() }),
);

export const discountConfirmed = defineEvent(
  'engagement.discount-confirmed',
  'Discounts that were held are taken for good, because somebody said so or the order was placed.',
  z.object({
    ...redeemed,
    by: z.enum(['request', 'order-placed']),
    withdrawn: z
      .object({ total: z.int(), campaigns: z.array(z.object({ campaignId: z.string(), amount: z.int() })) })
      .optional()
      .meta({
        description:
          'Where the order that was placed states less than was held: how much less the order comes to (below zero: more), and ' +
          'how much less was taken off through each campaign. The other amounts are those that are left.',
      }),
  }),
);

export const discountRetaken = defineEvent(
  'engagement.discount-retaken',
  'An order was placed with discounts that had been given back, or that another order had used: they were taken again, even beyond limits.',
  z.object({
    ...redeemed,
    orderId: z.string().meta({ description: 'The order that was placed.' }),
    beyondLimits: z
      .array(z.object({ campaignId: z.string(), name: z.string() }))
      .meta({ description: 'The campaigns that passed a limit.' }),
  }),
);

export const discountReleased = defineEvent(
  'engagement.discount-released',
  'The discounts of an order were given back: somebody said so, the time ran out for which they were held, or the order was cancelled.',
  z.object({
    ...redeemed,
    was: z.enum(['held', 'confirmed']),
    reason: z.enum(['requested', 'hold-ended', 'order-cancelled']),
  }),
);

/** What engagement answers about an order, which is the event's subject. The answer to a repeated request is the same. */
export const discountHeld = defineEvent(
  'engagement.discount-held',
  'The discounts that apply to the order are held until it is placed or cancelled; there may be none. Amounts are in minor units.',
  z.object({
    redemptionId: z.string().nullable().meta({ description: 'null where nothing applies.' }),
    currency: z.string(),
    lines: z.array(z.object({ lineId: z.string(), discount: z.int() })),
    discount: z.int().meta({ description: 'Of all lines together.' }),
    shippingDiscount: z.int(),
    campaigns: z.array(
      z.object({ campaignId: z.string(), name: z.string(), code: z.string().nullable(), amount: z.int() }),
    ),
    codes: z.array(z.object({ code: z.string(), status: z.string() })),
  }),
);

export const discountRefused = defineEvent(
  'engagement.discount-refused',
  'No discount can be held for the order, so that it can not be placed as it is.',
  z.object({
    reason: z.string().meta({
      description:
        '`amount_too_large`: its lines cost too much for exact calculation; `user_erased`: its user was erased.',
    }),
  }),
);
