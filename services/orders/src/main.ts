import { runService } from '@storefront/process/run';

await runService(() => import('./service.ts'));
