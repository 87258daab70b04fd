export { gateway, services, type StackService } from './services.ts';
export { startStack, type Stack, type StackOptions } from './stack.ts';
