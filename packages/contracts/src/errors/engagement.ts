import { z } from 'zod';
import { evaluation, evaluationExample } from '../http/engagement/evaluation.ts';
import type { FieldError } from '../problem.ts';
import { bodyField } from './common.ts';
import { defineErrors } from './refusal.ts';

export const engagementErrors = defineErrors({
  /** Throw it with `fields`: one `engagementFields.securityStaysOn` for each channel. */
  securityMessagesRequired: {
    kind: 'rule',
    detail: "Messages about your account's security can't be switched off.",
    exampleFields: [bodyField('/types/security/EMAIL', 'security_messages_required', 'stays on')],
  },
  deliveryNotRetryable: {
    kind: 'conflict',
    detail: (status: string) => `A ${status} delivery can't be tried again.`,
    example: ['delivered'],
  },
  /** Throw it with `fields`: one for each field that can't change any more. */
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
  /** Throw it with `fields`: one for each code that is taken. */
  codeTaken: {
    kind: 'conflict',
    detail: 'Some of these codes are taken; none was added.',
    exampleFields: [bodyField('/codes/0', 'code_taken', 'is taken')],
  },
  tooManyCodes: {
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
  redemptionReleased: { kind: 'conflict', detail: 'This redemption was given back already.' },
  orderPlaced: { kind: 'conflict', detail: 'The order is placed: only an administrator can give its discounts back.' },
  closing: { kind: 'unavailable', detail: 'This instance is being stopped: connect again.' },
  tooManyStreams: { kind: 'throttled', detail: 'You have too many open streams.', retryAfterSeconds: 30 },
});

/** Fields that only engagement can judge. */
export const engagementFields = {
  /** Messages about security on this channel can't be switched off. */
  securityStaysOn: (channel: string): FieldError =>
    bodyField(`/types/security/${channel}`, 'security_messages_required', 'stays on'),
};
