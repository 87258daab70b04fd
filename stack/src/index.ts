export { gateway, services } from './services.ts';
export type { StackService } from './services.ts';
export { startStack } from './stack.ts';
export type { Stack, StackOptions } from './stack.ts';
