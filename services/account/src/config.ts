import { serviceConfig } from '@storefront/process';
import { z } from 'zod';

export const configSchema = z.object({ ...serviceConfig });

export type AccountConfig = z.output<typeof configSchema>;
