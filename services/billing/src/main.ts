import { runService } from '@storefront/process';
import { service } from './service.ts';

await runService(service);
