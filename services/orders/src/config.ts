import { isTimeZone } from '@storefront/calendar';
import { locale } from '@storefront/contracts';
import { sellerVariables } from '@storefront/documents';
import { configTypes, returnUrls, serviceConfig } from '@storefront/process';
import { z } from 'zod';

export const configSchema = z.object({
  ...serviceConfig,
  API_URL: configTypes.webAddress.describe(
    'The public address of the gateway, for the addresses of pictures in answers.',
  ),
  CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, { error: 'must be an ISO 4217 code' })
    .default('EUR')
    .describe("The shop's currency (ISO 4217), the same as in catalog: that of all carts and orders."),
  SHOP_TIME_ZONE: z
    .string()
    .refine(isTimeZone, { error: 'must be a time zone of the IANA list, such as Europe/Berlin' })
    .default('UTC')
    .describe('The time zone of dates on papers of orders, and of days of exports, the same as in billing.'),
  SHOP_LOCALE: locale
    .default('en')
    .describe(
      'The language of papers of orders that were sent in no other one, the same as in engagement: `en` or `de`.',
    ),
  ...sellerVariables,
  DEFAULT_TAX_RATE: z.coerce
    .number()
    .min(0)
    .max(100)
    .default(19)
    .describe(
      "The standard tax rate of the shop's country in per cent, until staff set tax rates; the same as in billing.",
    ),
  CARTS_PER_ADDRESS: z.coerce
    .number()
    .int()
    .min(1)
    .default(500)
    .describe('How many carts clients of one address may make on a day without being logged in.'),
  ORDER_RETENTION_YEARS: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(10)
    .describe('How many years after the end of the year in which it was sent an order is kept.'),
  RETURN_URLS: returnUrls.describe(
    'Where a payment may lead back to: beginnings of addresses, separated by commas, such as `https://shop.example/`, or `http://localhost:*` for every port. The same as in billing.',
  ),
  CODE_SEALING_KEY: configTypes.sealingKey.describe(
    'Encrypts what a guest reads an order with, for the mail about it; the same as in engagement.',
  ),
});

export type OrdersConfig = z.output<typeof configSchema>;
