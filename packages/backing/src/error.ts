/** A problem that the user can solve. The message says how; it is shown without a stack trace. */
export class BackingError extends Error {
  override readonly name = 'BackingError';
}

/** Returns the message of a thrown value of any type. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
