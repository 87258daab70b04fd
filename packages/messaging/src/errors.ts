/** The errors that this package throws. A failed publish is not thrown: `publish` returns it. */
export type MessagingErrorCode =
  | 'messaging_address_invalid'
  | 'messaging_broker_away'
  | 'messaging_closed'
  | 'messaging_reactions_incomplete'
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
