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
  closing: { kind: 'unavailable', detail: 'This instance is being stopped: connect again.' },
  tooManyStreams: { kind: 'throttled', detail: 'You have too many open streams.', retryAfterSeconds: 30 },
});

/** Fields that only engagement can judge. */
export const engagementFields = {
  /** Messages about security on this channel can't be switched off. */
  securityStaysOn: (channel: string): FieldError =>
    bodyField(`/types/security/${channel}`, 'security_messages_required', 'stays on'),
};
