import { configTypes, serviceConfig } from '@storefront/process';
import { z } from 'zod';

export const configSchema = z.object({
  ...serviceConfig,
  API_URL: configTypes.webAddress.describe(
    'The public address of the gateway, for the addresses of pictures in answers.',
  ),
});

export type AccountConfig = z.output<typeof configSchema>;
