/** What this package throws. What a broker does to a publish is never thrown: it is an answer. */
export type MessagingErrorCode =
  | 'messaging_address_invalid'
  | 'messaging_broker_away'
  | 'messaging_closed'
  | 'messaging_subscription_unknown';

export class MessagingError extends Error {
  readonly code: MessagingErrorCode;

  constructor(code: MessagingErrorCode, message: string) {
    super(message);
    this.name = 'MessagingError';
    this.code = code;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
