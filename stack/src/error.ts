/** Something that whoever started the stack can put right. Its message is a sentence for them, to be shown without a stack. */
export class StackError extends Error {
  override readonly name = 'StackError';
}
