/** Something that the person at the keyboard can put right. Its message is a sentence for them, to be shown without a stack. */
export class BackingError extends Error {
  override readonly name = 'BackingError';
}

/** What an unknown thrown value says about itself. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
