import { runService } from '@storefront/service-kit';
import { configSchema, start } from './service.ts';

await runService('engagement', configSchema, start);
