import { z } from 'zod';
import { engagementErrors } from '../../errors/engagement.ts';
import { idSchema } from '../../ids.ts';
import { created, line, money, nonEmpty, page, pageQuery, requestTime, text, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';

export const campaignStatus = z
  .enum(['draft', 'scheduled', 'active', 'paused', 'ended'])
  .meta({ description: 'Follows from what staff did and from the clock.' });
export type CampaignStatus = z.infer<typeof campaignStatus>;

export const campaignTrigger = z
  .enum(['automatic', 'code'])
  .meta({ description: '`automatic` needs nothing of the shopper; `code` needs one of the codes of the campaign.' });
export const segment = z
  .enum(['all', 'retail', 'trade'])
  .meta({ description: 'Who gets the discount. Somebody who is not logged in counts as `retail`.' });
export const combination = z.enum(['stackable', 'exclusive']).meta({
  description:
    'Stackable campaigns add up. An exclusive one stands alone: the shopper gets it, or all stackable ones together, ' +
    'whichever takes off more.',
});

const percent = z
  .number()
  .min(0.01)
  .max(100)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, {
    error: 'must have at most two decimals',
  })
  .meta({ description: 'With at most two decimals.', examples: [12.5] });
const quantity = z.int().min(1).max(1000);

const productIds = z.array(idSchema('prod')).max(500);
const variantIds = z.array(idSchema('var')).max(500);
const selector = z
  .strictObject({
    products: productIds.min(1).optional().meta({ description: 'These products, in all their variants.' }),
    variants: variantIds.min(1).optional().meta({ description: 'These variants.' }),
    categories: z
      .array(idSchema('cat'))
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'All products in these categories and those below them.' }),
    excludedProducts: productIds.optional().meta({ description: 'None of these, whatever else is said.' }),
    excludedVariants: variantIds.optional().meta({ description: 'None of these, whatever else is said.' }),
  })
  .meta({
    id: 'ItemSelector',
    description: 'Which items count. Without `products`, `variants` and `categories`: all of them.',
  });
export type ItemSelectorBody = z.output<typeof selector>;

const target = z.enum(['order', 'items']).meta({
  description: 'Discounts of items are taken off first; those of the order from what they leave.',
});

export const discount = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('percentage'),
      percent,
      target,
      items: selector.optional(),
      maximumAmount: money.optional().meta({ description: 'It takes off no more than that.' }),
    }),
    z.strictObject({ type: z.literal('fixed-amount'), amount: money, target, items: selector.optional() }),
    z.strictObject({
      type: z.literal('buy-x-get-y'),
      buy: z.strictObject({ quantity, items: selector }),
      get: z.strictObject({ quantity, items: selector, percent }),
      maximumApplications: quantity.optional().meta({ description: 'How many times in one cart.' }),
    }),
    z.strictObject({
      type: z.literal('free-shipping'),
      maximumAmount: money.optional().meta({ description: 'Shipping up to that amount.' }),
    }),
  ])
  .meta({
    id: 'Discount',
    description:
      'What a campaign takes off. A percentage is of what is left of all matching items, and a fixed amount is taken from ' +
      'them together, once. `buy-x-get-y` takes the percentage off the cheapest matching items; none counts as bought and as given.',
    examples: [{ type: 'percentage', percent: 10, target: 'order' }],
  });
export type DiscountBody = z.output<typeof discount>;

/** Requires a schema for every field, so that a missing field does not compile. */
type Every<Field extends PropertyKey> = Readonly<Record<Field, z.ZodType>> & Readonly<Record<string, z.ZodType>>;
type FieldOfAny<Union> = Union extends unknown ? keyof Union : never;

const startsAt = requestTime.nullable().meta({
  format: 'date-time',
  description: 'It applies from this time on; null for the time of its activation.',
  examples: ['2026-12-01T00:00:00.000Z'],
});
const endsAt = requestTime.nullable().meta({
  format: 'date-time',
  description: 'It applies until right before this time; null for no end.',
  examples: ['2027-01-01T00:00:00.000Z'],
});
const uses = z.int().min(1).max(1_000_000_000);

const conditions = {
  segment: segment.optional(),
  startsAt: startsAt.optional(),
  endsAt: endsAt.optional(),
  minimumSubtotal: money
    .nullable()
    .optional()
    .meta({ description: 'The cart costs at least that before any discount.' }),
  minimumQuantity: quantity.nullable().optional().meta({ description: 'The cart has at least so many items.' }),
  firstOrderOnly: z.boolean().optional().meta({ description: 'Only for users who have not ordered yet.' }),
};
const limits = {
  total: uses.nullable().meta({ description: 'How many times it can be redeemed.' }),
  perUser: uses.nullable().meta({ description: 'How many times by one user, who has to log in.' }),
  budget: money.nullable().meta({ description: 'How much it gives in all.' }),
};
const noLimits = { total: null, perUser: null, budget: null };

const fields = {
  name: line(200).meta({ examples: ['Teapots in spring'] }),
  description: text(2000)
    .nullable()
    .meta({ examples: ['A tenth off all teapots.'] }),
  discount,
  conditions: z.strictObject(conditions),
  priority: z
    .int()
    .min(0)
    .max(1_000_000)
    .meta({ description: 'The lower one is worked out first, and wins a tie.', examples: [100] }),
  combination,
};

export const campaignCreation = z
  .strictObject({
    name: fields.name,
    description: fields.description.default(null),
    trigger: campaignTrigger,
    discount,
    conditions: fields.conditions.default({}),
    limits: z
      .strictObject({
        total: limits.total.default(null),
        perUser: limits.perUser.default(null),
        budget: limits.budget.default(null),
      } satisfies Every<keyof typeof limits>)
      .default(noLimits),
    priority: fields.priority.default(100),
    combination: combination.default('stackable'),
  } satisfies Every<keyof typeof fields | 'limits'>)
  .meta({
    id: 'CampaignCreation',
    description:
      'All money is of one currency, which becomes that of the campaign; without any money that is the currency of the shop.',
    examples: [
      {
        name: 'Teapots in spring',
        description: 'A tenth off all teapots.',
        trigger: 'code',
        discount: {
          type: 'percentage',
          percent: 10,
          target: 'items',
          items: { categories: ['cat_01h455vb4pex5vsknk084sn02q'] },
        },
        conditions: {
          segment: 'retail',
          endsAt: '2027-06-01T00:00:00.000Z',
          minimumSubtotal: { amount: 5000, currency: 'EUR' },
        },
        limits: { total: 1000, perUser: 1, budget: { amount: 500_000, currency: 'EUR' } },
        priority: 100,
        combination: 'stackable',
      },
    ],
  });
export type CampaignCreation = z.output<typeof campaignCreation>;

export const campaignChange = z
  .strictObject({
    ...fields,
    conditions: z.strictObject(conditions).meta({ description: 'Those that are left out stay as they are.' }),
    limits: z
      .strictObject(limits)
      .partial()
      .meta({ description: 'Those that are left out stay as they are; null for none.' }),
  })
  .partial()
  .refine(...nonEmpty)
  .meta({
    id: 'CampaignChange',
    minProperties: 1,
    description:
      'The trigger stays as it is. After the activation only `name`, `description`, `conditions.endsAt`, `limits` and ' +
      '`priority` can change.',
    examples: [{ name: 'Teapots in summer', limits: { total: 2000 }, priority: 50 }],
  });
export type CampaignChange = z.output<typeof campaignChange>;

const shownSelector = z.object({
  products: z.array(z.string()).optional(),
  variants: z.array(z.string()).optional(),
  categories: z.array(z.string()).optional(),
  excludedProducts: z.array(z.string()).optional(),
  excludedVariants: z.array(z.string()).optional(),
} satisfies Every<keyof ItemSelectorBody>);
const shownDiscount = z
  .object({
    type: z.enum(discount.options.map(({ shape }) => shape.type.value)),
    percent: z.number().optional(),
    amount: money.optional(),
    target: target.optional(),
    items: shownSelector.optional(),
    buy: z.object({ quantity: z.int(), items: shownSelector }).optional(),
    get: z.object({ quantity: z.int(), items: shownSelector, percent: z.number() }).optional(),
    maximumAmount: money.optional(),
    maximumApplications: z.int().optional(),
  } satisfies Every<FieldOfAny<DiscountBody>>)
  .meta({ description: 'As it was given; which fields there are depends on its type.' });
const shownConditions = z.object({
  segment,
  startsAt: timestamp.nullable().meta({ description: 'null until its activation where none was given.' }),
  endsAt: timestamp.nullable(),
  minimumSubtotal: money.nullable(),
  minimumQuantity: z.int().nullable(),
  firstOrderOnly: z.boolean(),
} satisfies Every<keyof typeof conditions>);

export const campaign = z
  .object({
    id: idSchema('camp'),
    name: z.string(),
    description: z.string().nullable(),
    status: campaignStatus,
    trigger: campaignTrigger,
    currency: z.string().meta({ description: 'Of all its money. A cart in another currency gets no discount.' }),
    discount: shownDiscount,
    conditions: shownConditions,
    limits: z.object({
      total: z.int().nullable(),
      perUser: z.int().nullable(),
      budget: money.nullable(),
    } satisfies Every<keyof typeof limits>),
    priority: z.int(),
    combination,
    usage: z
      .object({
        redemptions: z.int(),
        amount: money,
        remaining: z
          .object({ redemptions: z.int().nullable(), budget: money.nullable() })
          .meta({ description: 'null where there is no limit.' }),
      })
      .meta({ description: 'The sum of all redemptions that are held or confirmed, exact at every moment.' }),
    activatedAt: timestamp.nullable(),
    endedAt: timestamp.nullable().meta({ description: 'When staff ended it.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  } satisfies Every<keyof CampaignCreation>)
  .meta({ id: 'Campaign' });
export type CampaignBody = z.infer<typeof campaign>;

export const campaignQuery = z.strictObject({
  ...pageQuery,
  status: campaignStatus.optional().meta({ description: 'Only those with this status now.', examples: ['active'] }),
});
export const campaignPage = page(campaign).meta({ id: 'CampaignPage' });

export const activeCampaign = z
  .object({
    id: idSchema('camp'),
    name: z.string(),
    description: z.string().nullable(),
    discount: shownDiscount,
    conditions: shownConditions,
    combination,
  })
  .meta({ id: 'ActiveCampaign', description: 'What shoppers see of a campaign.' });
export type ActiveCampaignBody = z.infer<typeof activeCampaign>;
export const activeCampaignQuery = z.strictObject(pageQuery);
export const activeCampaignPage = page(activeCampaign).meta({ id: 'ActiveCampaignPage' });

export const campaignParams = z.strictObject({ id: idSchema('camp') });
const tags = ['campaigns'];

export const campaignOperations = operationsOf(
  operation({
    id: 'listCampaigns',
    method: 'GET',
    path: '/v1/campaigns',
    access: 'staff',
    roles: ['marketing', 'support'],
    scope: 'promotions:read',
    tags,
    summary: 'List campaigns',
    description: 'Newest first.',
    query: campaignQuery,
    responses: { 200: campaignPage },
  }),
  operation({
    id: 'listActiveCampaigns',
    method: 'GET',
    path: '/v1/campaigns/active',
    access: 'public',
    optionalToken: true,
    publicSeconds: 30,
    tags,
    summary: 'List what is on offer now',
    description: 'Automatic campaigns that run now, for the segment of the caller, by priority.',
    query: activeCampaignQuery,
    responses: { 200: activeCampaignPage },
  }),
  operation({
    id: 'createCampaign',
    method: 'POST',
    path: '/v1/campaigns',
    access: 'staff',
    roles: ['marketing'],
    scope: 'promotions:write',
    idempotent: true,
    versioned: 'weak',
    tags,
    summary: 'Create a campaign',
    description: 'It is a draft until it is activated.',
    body: campaignCreation,
    responses: { 201: created(campaign) },
    errors: [engagementErrors.tooManyCampaigns],
  }),
  operation({
    id: 'getCampaign',
    method: 'GET',
    path: '/v1/campaigns/{id}',
    access: 'staff',
    roles: ['marketing', 'support'],
    scope: 'promotions:read',
    versioned: 'weak',
    tags,
    summary: 'Read a campaign',
    description: 'With what was taken off through it until now.',
    params: campaignParams,
    responses: { 200: campaign },
  }),
  operation({
    id: 'changeCampaign',
    method: 'PATCH',
    path: '/v1/campaigns/{id}',
    access: 'staff',
    roles: ['marketing'],
    scope: 'promotions:write',
    versioned: 'weak',
    tags,
    summary: 'Change a campaign',
    description:
      'People have seen one that was activated, so only its name, description, end, limits and priority can change then; ' +
      'a limit never below what is used. Nothing changes after its end.',
    params: campaignParams,
    body: campaignChange,
    responses: { 200: campaign },
    errors: [engagementErrors.campaignActive, engagementErrors.campaignNotInState],
  }),
  operation({
    id: 'deleteCampaign',
    method: 'DELETE',
    path: '/v1/campaigns/{id}',
    access: 'staff',
    roles: ['marketing'],
    scope: 'promotions:write',
    versioned: 'weak',
    tags,
    summary: 'Delete a campaign',
    description: 'With its codes. One that was redeemed can only be ended.',
    params: campaignParams,
    responses: { 204: null },
    errors: [engagementErrors.campaignRedeemed],
  }),
  operation({
    id: 'activateCampaign',
    method: 'POST',
    path: '/v1/campaigns/{id}/activate',
    access: 'staff',
    roles: ['marketing'],
    scope: 'promotions:write',
    idempotent: true,
    versioned: 'weak',
    tags,
    summary: 'Activate a campaign, or go on with a paused one',
    description: 'It applies from `startsAt` on, to the millisecond.',
    params: campaignParams,
    responses: { 200: campaign },
    errors: [engagementErrors.campaignNotInState],
  }),
  operation({
    id: 'pauseCampaign',
    method: 'POST',
    path: '/v1/campaigns/{id}/pause',
    access: 'staff',
    roles: ['marketing'],
    scope: 'promotions:write',
    idempotent: true,
    versioned: 'weak',
    tags,
    summary: 'Pause a campaign',
    description: 'It applies to nothing until it is activated again. What was redeemed stays.',
    params: campaignParams,
    responses: { 200: campaign },
    errors: [engagementErrors.campaignNotInState],
  }),
  operation({
    id: 'endCampaign',
    method: 'POST',
    path: '/v1/campaigns/{id}/end',
    access: 'staff',
    roles: ['marketing'],
    scope: 'promotions:write',
    idempotent: true,
    versioned: 'weak',
    tags,
    summary: 'End a campaign for good',
    description: 'A draft is deleted instead.',
    params: campaignParams,
    responses: { 200: campaign },
    errors: [engagementErrors.campaignNotInState],
  }),
);
