export { openResources } from './resources.ts';
export type { Resources } from './resources.ts';
export { serve } from './serve.ts';
export type { Serving } from './serve.ts';
