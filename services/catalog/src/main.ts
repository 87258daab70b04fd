import { runService } from '@storefront/service-kit';
import { configSchema } from './config.ts';
import { start } from './service.ts';

await runService('catalog', configSchema, start);
