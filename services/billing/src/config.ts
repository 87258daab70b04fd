import { isTimeZone } from '@storefront/calendar';
import { sellerVariables } from '@storefront/documents';
import { returnUrls, serviceConfig } from '@storefront/process';
import { z } from 'zod';

const line = z.string().trim().min(1).max(200);

/** One secret, or two: during a rotation the old and the new one are both valid. */
const secrets = z
  .string()
  .transform((text) => text.split(',').map((secret) => secret.trim()))
  .refine((list) => list.length <= 2 && list.every((secret) => secret.length >= 16), {
    error: 'must be one secret or two, separated by a comma, each of 16 characters or more',
  });

const variables = z.object({
  ...serviceConfig,
  CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, { error: 'must be an ISO 4217 code' })
    .default('EUR')
    .describe("The shop's currency (ISO 4217), the same as in catalog: that of all invoices."),
  SHOP_TIME_ZONE: z
    .string()
    .refine(isTimeZone, { error: 'must be a time zone of the IANA list, such as Europe/Berlin' })
    .default('UTC')
    .describe('The time zone in which invoices are dated and due: `Europe/Berlin`.'),
  ...sellerVariables,
  BANK_NAME: line.optional().describe('Who holds the account to which invoices are paid; the seller by default.'),
  BANK_IBAN: z
    .string()
    .transform((text) => text.replaceAll(' ', ''))
    .pipe(z.string().regex(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, { error: 'must be an IBAN' }))
    .optional()
    .describe('The bank account to which invoices are paid. Without it they name none.'),
  BANK_BIC: z
    .string()
    .regex(/^[A-Z0-9]{8}(?:[A-Z0-9]{3})?$/, { error: 'must be a BIC' })
    .optional()
    .describe('The BIC of that bank.'),
  DEFAULT_TERMS_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(90)
    .default(30)
    .describe('For how many days the invoices of a new trade account may stay unpaid.'),
  DEFAULT_CREDIT_LIMIT: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000_000_000)
    .default(500_000)
    .describe('How much a new trade account may owe, in minor units.'),
  DEFAULT_TAX_RATE: z.coerce
    .number()
    .min(0)
    .max(100)
    .default(19)
    .describe('The tax rate in per cent, for lines of orders that name none, and for shipping.'),
  PAYMENT_PROVIDERS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    )
    .pipe(z.array(z.enum(['demo', 'stripe'])))
    .describe(
      'The payment providers whose callbacks are taken, separated by commas: `stripe`. `demo` is for development only. ' +
        'Orders are paid on the pages of the first one that has pages.',
    ),
  DEMO_PAYMENT_SECRETS: secrets
    .optional()
    .describe('Signs the callbacks of the demo provider: one secret, or two during a rotation, separated by a comma.'),
  DEMO_PAYMENT_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe("The address of the demo provider's page."),
  RETURN_URLS: returnUrls.describe(
    'Where a payment of invoices may lead back to: beginnings of addresses, separated by commas, such as `https://shop.example/`, or `http://localhost:*` for every port. The same as in orders.',
  ),
  STRIPE_WEBHOOK_SECRETS: secrets
    .optional()
    .describe('Signs the callbacks of Stripe: one secret, or two during a rotation, separated by a comma.'),
  STRIPE_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{16,255}$/, { error: 'must be a secret key of Stripe' })
    .optional()
    .describe(
      'A secret key of Stripe that may write Checkout Sessions and refunds. Without it no order is paid at Stripe.',
    ),
});

/** Example values in the deployment files. The operator has to replace them with the real data of the seller. */
const placeholders = { SELLER_ADDRESS: /^The address of the shop$/, SELLER_VAT_NUMBER: /^[A-Z]{2}0+$/ };

/** The variables that must be set for each payment provider. */
const neededBy = {
  demo: ['DEMO_PAYMENT_SECRETS', 'DEMO_PAYMENT_URL'],
  stripe: ['STRIPE_WEBHOOK_SECRETS'],
} as const;

export const configSchema = variables.superRefine((config, context) => {
  const refuse = (variable: string, message: string) => context.addIssue({ code: 'custom', path: [variable], message });
  if (config.NODE_ENV === 'production' && config.PAYMENT_PROVIDERS.includes('demo'))
    refuse('PAYMENT_PROVIDERS', 'must not name demo in production');
  if (config.NODE_ENV === 'production') {
    for (const [variable, placeholder] of Object.entries(placeholders))
      if (placeholder.test(config[variable as keyof typeof placeholders]))
        refuse(variable, 'is an example value: an issued invoice never changes, so set your own first');
  }
  for (const provider of config.PAYMENT_PROVIDERS)
    for (const variable of neededBy[provider])
      if (config[variable] === undefined)
        refuse(variable, `is required, and not empty, where PAYMENT_PROVIDERS names ${provider}`);
});

export type BillingConfig = z.output<typeof configSchema>;
