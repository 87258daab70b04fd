export { openResources } from './resources.ts';
export type { Resources } from './resources.ts';
export { serve } from './serve.ts';
export type { Serving } from './serve.ts';
export { runTellAll, tellAll, tellAllOptions, tellAllUsage } from './tell-all.ts';
export type { ReadPresent } from './tell-all.ts';
