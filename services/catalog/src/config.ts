import { configTypes, serviceConfig } from '@storefront/process';
import { z } from 'zod';

export const configSchema = z.object({
  ...serviceConfig,
  CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, { error: 'must be an ISO 4217 code' })
    .default('EUR')
    .describe("The shop's currency (ISO 4217): every price is in it, so that prices can be compared and sorted."),
  API_URL: configTypes.webAddress.describe(
    'The public address of the gateway, for the addresses of pictures in answers.',
  ),
  PICTURES_DIR: z
    .string()
    .optional()
    .describe('A folder with pictures to serve at /v1/products/images/; without it products name pictures elsewhere.'),
});

export type CatalogConfig = z.output<typeof configSchema>;
