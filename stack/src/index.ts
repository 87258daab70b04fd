export type { Account, Accounts } from './accounts.ts';
export { StackError } from './error.ts';
export { startStack } from './stack.ts';
export type { Stack, StackOptions } from './stack.ts';
