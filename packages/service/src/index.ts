export { openResources, type Resources } from './resources.ts';
export { serve, type Area, type Serving } from './serve.ts';
export { runRepublish, republish, republishOptions, republishUsage, type ReadPresent } from './republish.ts';
