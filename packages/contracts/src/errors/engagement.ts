import { z } from 'zod';
import { evaluation, evaluationExample } from '../http/engagement/evaluation.ts';
import { idSchema } from '../ids.ts';
import type { FieldError } from '../problem.ts';
import { bodyField } from './common.ts';
import { defineErrors } from './refusal.ts';

export const engagementErrors = defineErrors({
  /** Throw it with `fields`: one `engagementFields.securityStaysOn` for each channel that was to be switched off. */
  securityMessagesRequired: {
    kind: 'rule',
    detail: "Messages about your account's security can't be switched off.",
    exampleFields: [bodyField('/types/security/EMAIL', 'security_messages_required', 'stays on')],
  },
  /** Throw it with `fields`: `engagementFields.invoiceMailsStayOn`. */
  invoiceMailsRequired: {
    kind: 'rule',
    detail: "Mails about your invoices can't be switched off.",
    exampleFields: [bodyField('/types/invoices/EMAIL', 'invoice_mails_required', 'stays on')],
  },
  deliveryNotRetryable: {
    kind: 'conflict',
    detail: (status: string) => `A ${status} delivery can't be tried again.`,
    example: ['delivered'],
  },
  /** Throw it with `fields`: one for each field that can no longer change. */
  campaignActive: {
    kind: 'conflict',
    detail: 'People have seen this campaign: only its name, description, end, limits and priority can still change.',
    exampleFields: [bodyField('/discount', 'campaign_active', "can't change after the activation")],
  },
  campaignRedeemed: { kind: 'conflict', detail: 'This campaign has been redeemed: end it instead.' },
  campaignNotInState: {
    kind: 'conflict',
    detail: (status: string) => `That can't be done with a campaign that is ${status}.`,
    example: ['ended'],
  },
  tooManyCampaigns: {
    kind: 'rule',
    detail: 'There are too many campaigns that have not ended: end some of them first.',
  },
  campaignWithoutCodes: { kind: 'rule', detail: 'An automatic campaign has no codes.' },
  tooManyAnnouncements: {
    kind: 'rule',
    detail: (max: number) => `There are ${max} announcements of this campaign already.`,
    example: [100],
  },
  /** Throw it with `fields`: one for each code that is already taken. */
  codeTaken: {
    kind: 'conflict',
    detail: 'Some of these codes are taken; none was added.',
    exampleFields: [bodyField('/codes/0', 'code_taken', 'is taken')],
  },
  tooManyCampaignCodes: {
    kind: 'rule',
    detail: (left: number) => `A campaign has 100,000 codes at most: this one takes ${left} more.`,
    example: [500],
  },
  tooManyUnknownCodes: {
    kind: 'throttled',
    detail: 'Too many codes that do not exist: wait before you try more codes.',
    retryAfterSeconds: 900,
  },
  orderAlreadyRedeemed: { kind: 'conflict', detail: 'Another cart was redeemed for this order.' },
  discountChanged: {
    kind: 'conflict',
    detail: 'What applies now is not what was expected.',
    members: z.object({ evaluation }),
    exampleMembers: { evaluation: evaluationExample },
  },
  noDiscountApplies: {
    kind: 'rule',
    detail: 'Nothing applies to this cart, so there is nothing to redeem.',
    members: z.object({ evaluation }),
    exampleMembers: { evaluation: evaluationExample },
  },
  tooManyRedemptions: { kind: 'throttled', detail: 'You have redeemed too often today.', retryAfterSeconds: 3600 },
  tooManyOpenHolds: {
    kind: 'conflict',
    detail: 'You hold the discounts of three orders already: give one of them back first, or place its order.',
    members: z.object({
      redemptionIds: z.array(idSchema('red')).meta({ description: 'What you hold.' }),
    }),
    exampleMembers: { redemptionIds: ['red_01h455vb4pex5vsknk084sn02q'] },
  },
  heldTooLong: {
    kind: 'throttled',
    detail: 'You have held discounts for six hours today without an order: hold them again tomorrow.',
    retryAfterSeconds: 3600,
  },
  redemptionReleased: { kind: 'conflict', detail: 'This redemption was given back already.' },
  redemptionNotHeld: {
    kind: 'conflict',
    detail: 'This redemption is confirmed: only staff can give it back.',
  },
  redemptionHeldForOrder: {
    kind: 'conflict',
    detail: 'This redemption is held for an order: it ends when the order is placed or cancelled.',
  },
  closing: { kind: 'unavailable', detail: 'This instance is being stopped: connect again.' },
  tooManyStreams: { kind: 'throttled', detail: 'You have too many open streams.', retryAfterSeconds: 30 },
});

/** Field errors that only the engagement service can detect. */
export const engagementFields = {
  /** The error for switching off security messages on this channel, which is not allowed. */
  securityStaysOn: (channel: string): FieldError =>
    bodyField(`/types/security/${channel}`, 'security_messages_required', 'stays on'),
  /** The error for switching off mails about invoices, which is not allowed. */
  invoiceMailsStayOn: (): FieldError => bodyField('/types/invoices/EMAIL', 'invoice_mails_required', 'stays on'),
  emailMissing: (): FieldError => bodyField('/email', 'email_missing', 'must be there for a mail'),
  htmlMissing: (): FieldError => bodyField('/html', 'html_missing', 'must be there for a mail, or `text`'),
  userMissing: (): FieldError => bodyField('/userId', 'user_missing', 'must be there for a notification in the app'),
  /** Only users can opt in, so mail of such a category needs a user. */
  userMissingForOptIn: (category: string): FieldError =>
    bodyField('/userId', 'user_missing', `must be there for a mail of ${category}, which only users who want it get`),
  titleMissing: (): FieldError => bodyField('/title', 'title_missing', 'must be there for a notification in the app'),
  /**
   * All amounts of a campaign must have one currency: that of its existing amounts, otherwise that of the first amount
   * in the request.
   */
  otherCurrency: (pointer: string, currency: string): FieldError =>
    bodyField(`${pointer}/currency`, 'other_currency', `must be ${currency} as the other money of the campaign`),
  endNotAfterStart: (): FieldError => bodyField('/conditions/endsAt', 'not_after_start', 'must be after startsAt'),
  endInThePast: (): FieldError =>
    bodyField('/conditions/endsAt', 'in_the_past', 'must be in the future; to end the campaign now, end it'),
  /** The error for a discount or a budget of 0. */
  amountOfNothing: (pointer: string): FieldError => bodyField(`${pointer}/amount`, 'too_small', 'must be more than 0'),
  budgetBelowOneUse: (): FieldError =>
    bodyField('/limits/budget/amount', 'below_one_use', 'must be at least what one use takes off'),
  itemsMissing: (pointer: string): FieldError =>
    bodyField(pointer, 'items_required', 'must name products, variants or categories'),
  excludedAndNamed: (pointer: string): FieldError => bodyField(pointer, 'named_too', 'is named as well'),
  belowUsage: (pointer: string, used: number): FieldError =>
    bodyField(pointer, 'below_usage', `must not be below what is used: ${used}`),
  /**
   * The new limit per user must not be below the number of all redemptions. How often each single user redeemed the
   * campaign is not checked.
   */
  perUserBelowUsage: (used: number): FieldError =>
    bodyField(
      '/limits/perUser',
      'below_usage',
      `must not be below all ${used} redemptions, which one user may have made`,
    ),
  cantChange: (pointer: string): FieldError =>
    bodyField(pointer, 'campaign_active', "can't change after the activation"),
  holdRequired: (): FieldError =>
    bodyField('/hold', 'hold_required', 'must be stated: what is held is confirmed by the order that is placed'),
  notEnoughStock: (pointer: string, available: number): FieldError =>
    bodyField(pointer, 'not_enough_stock', `must not be more than there are: ${available}`),
  tooMuchShipping: (most: number): FieldError =>
    bodyField('/shipping/amount', 'too_big', `must not be more than shipping costs at most: ${most}`),
  codeTaken: (pointer: string): FieldError => bodyField(pointer, 'code_taken', 'is taken'),
  codeTwice: (pointer: string): FieldError => bodyField(pointer, 'duplicate', 'is named twice'),
};
