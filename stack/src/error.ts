/** A problem that the user can solve. The message says what to do and is shown without a stack trace. */
export class StackError extends Error {
  override readonly name = 'StackError';
}
