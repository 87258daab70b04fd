import { z } from 'zod';
import { money } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { party } from './invoices.ts';

export const shopSettings = z
  .object({
    timeZone: z.string().meta({
      description: 'In which invoices are dated and due; a name of the IANA database.',
      examples: ['Europe/Berlin'],
    }),
    currency: z.string().meta({ description: 'That of all invoices (ISO 4217).', examples: ['EUR'] }),
    seller: party.meta({ description: 'As new invoices state it.' }),
    bank: z
      .object({ name: z.string(), iban: z.string(), bic: z.string().nullable() })
      .nullable()
      .meta({ description: 'The account to which invoices are paid; null where they name none.' }),
    newAccounts: z
      .object({ creditLimit: money, termsDays: z.int() })
      .meta({ description: 'The credit of trade accounts for which nobody has set another one.' }),
    defaultTaxRate: z
      .number()
      .meta({ description: 'In per cent, for lines of orders that name none.', examples: [19] }),
  })
  .meta({ id: 'ShopSettings' });
export type ShopSettingsBody = z.infer<typeof shopSettings>;

export const shopOperations = operationsOf(
  operation({
    id: 'getShopSettings',
    method: 'GET',
    path: '/v1/shop',
    access: 'staff',
    roles: ['catalog', 'marketing', 'sales', 'support'],
    scope: 'billing:read',
    tags: ['invoices'],
    summary: 'Read how the shop is set up',
    description:
      'Its time zone, and what new invoices state. The operator sets it by the configuration of the services.',
    responses: { 200: shopSettings },
  }),
);
