import { engagementEvents, type EventOf } from '@storefront/contracts';
import { z } from 'zod';
import type { Count } from '../count.ts';
import type { FactDraft } from '../fact.ts';
import { factKind, from, user } from '../kind.ts';

const message = z.object({ channel: z.enum(['IN_APP', 'EMAIL', 'SMS', 'PUSH']), category: z.string() });
type Message = z.infer<typeof message>;

/** Amounts are in minor units of `currency`. */
const redemption = z.object({
  currency: z.string(),
  /** The total of the order after its discounts, in minor units. */
  total: z.int(),
  campaigns: z.array(z.object({ campaignId: z.string(), amount: z.int() })),
});
type Redemption = z.infer<typeof redemption>;
const confirmation = redemption.extend({
  /** By how much the held discounts and the total are reduced, where the order states less than was held. */
  withdrawn: redemption.omit({ currency: true }).optional(),
});
type Confirmation = z.infer<typeof confirmation>;

/**
 * Messages that failed for one of these reasons count as suppressed: they were no longer to be sent, or not to that
 * address. Messages that failed for other reasons could not be sent.
 */
const suppressions: ReadonlySet<string> = new Set(['address_bounced', 'switched_off_by_user', 'announcement_stopped']);
const minuteMs = 60_000;

/** Facts about messages and redeemed discounts. */
export const engagementFacts = {
  /**
   * A message was requested. It will be sent, or it is only recorded because its channel is not connected or the user
   * has switched it off.
   */
  'notification-requested': factKind({
    data: message,
    events: [from(engagementEvents.notificationRequested, ({ time, data }) => ofMessage(time, data))],
    countsOf: ({ data }) => countMessage(data, 'requested'),
  }),

  /** A message was handed over to the mail server, or put into the user's list. */
  'notification-delivered': factKind({
    data: message,
    events: [from(engagementEvents.notificationDelivered, ({ time, data }) => ofMessage(time, data))],
    countsOf: ({ data }) => countMessage(data, 'delivered'),
  }),

  /** A message will not be sent. */
  'notification-failed': factKind({
    data: message.extend({ isSuppressed: z.boolean() }),
    events: [
      from(engagementEvents.notificationFailed, ({ time, data: failed }) => {
        const draft = ofMessage(time, failed);
        return { ...draft, data: { ...draft.data, isSuppressed: suppressions.has(failed.reason) } };
      }),
    ],
    countsOf: ({ data }) => countMessage(data, data.isSuppressed ? 'suppressed' : 'failed'),
  }),

  /** A user read a message for the first time. The fact counts at the time of reading. */
  'notification-read': factKind({
    data: message.extend({
      /** The minutes from the request of the message until the user read the message. */
      minutes: z.number(),
    }),
    events: [
      from(engagementEvents.notificationRead, ({ data: read }) => {
        const draft = ofMessage(read.readAt, read);
        const minutes = (Date.parse(read.readAt) - Date.parse(read.requestedAt)) / minuteMs;
        return { ...draft, data: { ...draft.data, minutes } };
      }),
    ],
    countsOf: ({ data }) => countMessage(data, 'read').map((count) => ({ ...count, value: data.minutes })),
    isActivity: true,
  }),

  /** An order redeemed discounts, or redeemed them again after their release. */
  'discount-redeemed': factKind({
    data: redemption,
    events: [
      from(engagementEvents.discountRedeemed, ({ time, data }) => ofRedemption(time, data)),
      from(engagementEvents.discountRetaken, ({ time, data }) => ofRedemption(time, data)),
    ],
    countsOf: ({ data }) => countRedemption(data, 1),
    isActivity: true,
    setsOf: ({ data: { campaigns } }) =>
      ['', ...campaigns.map(({ campaignId }) => campaignId)].map((of) => ({ set: 'campaignCustomers', of })),
  }),

  /**
   * Held discounts became final. The discounts were counted when they were held, so amounts that the order no longer
   * contains are subtracted now.
   */
  'discount-confirmed': factKind({
    data: confirmation,
    events: [
      from(engagementEvents.discountConfirmed, ({ time, data }): FactDraft<Confirmation> => {
        const { withdrawn } = data;
        const draft = ofRedemption(time, data);
        return withdrawn === undefined ? draft : { ...draft, data: { ...draft.data, withdrawn } };
      }),
    ],
    countsOf: ({ data: { currency, withdrawn } }) =>
      withdrawn === undefined ? [] : countAmounts({ currency, ...withdrawn }, -1),
  }),

  /** The discounts of an order were released. The counted amounts are subtracted at the moment of the release. */
  'discount-released': factKind({
    data: redemption,
    events: [from(engagementEvents.discountReleased, ({ time, data }) => ofRedemption(time, data))],
    countsOf: ({ data }) => countRedemption(data, -1),
  }),
};

type MessageEvent = Pick<
  EventOf<typeof engagementEvents.notificationRead>['data'],
  'channel' | 'category' | 'userId' | 'segment'
>;

function ofMessage(at: string, { channel, category, userId, segment = 'guest' }: MessageEvent): FactDraft<Message> {
  return { at: new Date(at), segment, by: user(userId), data: { channel, category } };
}

/** Counts a message for its channel and category, and for all messages together. */
function countMessage({ channel, category }: Message, measure: string): readonly Count[] {
  return ['', `${channel} ${category}`].map((of) => ({ family: 'notifications', of, measures: { [measure]: 1 } }));
}

type RedemptionEvent = Pick<
  EventOf<typeof engagementEvents.discountRedeemed>['data'],
  'userId' | 'segment' | 'currency' | 'total' | 'campaigns'
>;

function ofRedemption(
  time: string,
  { userId, segment, currency, total, campaigns }: RedemptionEvent,
): FactDraft<Redemption> {
  const kept = campaigns.map(({ campaignId, amount }) => ({ campaignId, amount }));
  return { at: new Date(time), segment, by: user(userId), data: { currency, total, campaigns: kept } };
}

/** Counts a redemption, or subtracts it, for each of its campaigns and once for all of them together. */
function countRedemption(data: Redemption, times: 1 | -1): readonly Count[] {
  return countAmounts(data, times).map((count) => ({ ...count, measures: { redemptions: times, ...count.measures } }));
}

/** Counts only the amounts of a redemption, not the redemption itself. */
function countAmounts({ currency, total, campaigns }: Redemption, times: 1 | -1): readonly Count[] {
  const count = (of: string, discount: number): Count => ({
    family: 'campaigns',
    of,
    measures: { discount: times * discount, orderValue: times * total },
  });
  const discount = campaigns.reduce((sum, { amount }) => sum + amount, 0);
  return [
    count(currency, discount),
    ...campaigns.map(({ campaignId, amount }) => count(`${campaignId} ${currency}`, amount)),
  ];
}
