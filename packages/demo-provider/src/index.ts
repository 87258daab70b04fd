export { signDemoCallback } from './signature.ts';
export { startDemoProvider, type DemoProviderOptions, type StartedDemoProvider } from './start.ts';
