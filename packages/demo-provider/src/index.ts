export { signDemoCallback } from './signature.ts';
export { startDemoProvider } from './start.ts';
export type { DemoProviderOptions, StartedDemoProvider } from './start.ts';
