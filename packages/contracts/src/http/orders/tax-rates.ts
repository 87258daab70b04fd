import { z } from 'zod';
import { timestamp } from '../common.ts';
import { country, countryCodes } from '../countries.ts';
import { operation, operationsOf } from '../operation.ts';

const percent = z
  .number()
  .min(0)
  .max(100)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, {
    error: 'must have at most two decimals',
  })
  .meta({ description: 'In per cent, with at most two decimals.' });

const rates = {
  standard: percent.meta({ examples: [19] }),
  reduced: percent.nullable().meta({
    description: 'null for a country without a reduced rate: what would have it has the standard one.',
    examples: [7],
  }),
  zero: percent.meta({ description: 'Of products of the class `zero`.', examples: [0] }),
};

export const taxRatesSetting = z
  .strictObject({
    rates: z
      .array(z.strictObject({ country, ...rates, reduced: rates.reduced.default(null), zero: rates.zero.default(0) }))
      .min(1)
      .max(countryCodes.length)
      .refine((all) => new Set(all.map((each) => each.country)).size === all.length, {
        error: 'must not name a country twice',
      })
      .meta({ description: "One of them is the shop's own country." }),
  })
  .meta({ id: 'TaxRatesSetting', examples: [{ rates: [{ country: 'DE', standard: 19, reduced: 7 }] }] });
export type TaxRatesSetting = z.output<typeof taxRatesSetting>;

export const taxRates = z
  .object({
    rates: z.array(z.object({ country: z.string().meta({ examples: ['DE'] }), ...rates })),
    updatedAt: timestamp.nullable().meta({ description: 'null until staff set them.' }),
  })
  .meta({ id: 'TaxRates' });
export type TaxRatesBody = z.input<typeof taxRates>;

const ofTax = { access: 'staff', path: '/v1/tax-rates', versioned: true, tags: ['shipping and tax'] } as const;

export const taxRateOperations = operationsOf(
  operation({
    ...ofTax,
    id: 'getTaxRates',
    method: 'GET',
    roles: ['sales', 'support'],
    scope: 'orders:read',
    summary: 'Read the tax rates',
    description:
      "Until staff set them there is only the standard rate of the shop's own country, which the operator states.",
    responses: { 200: taxRates },
  }),
  operation({
    ...ofTax,
    id: 'putTaxRates',
    method: 'PUT',
    roles: ['sales'],
    scope: 'orders:write',
    summary: 'Set the tax rates',
    description:
      'Replaces all of them. A country of the EU that is not named has the rates of the shop, if that is in the EU too, as small ' +
      'sellers charge them; where no tax is charged no rate is needed. Shipping has the standard rate.',
    body: taxRatesSetting,
    responses: { 200: taxRates },
  }),
);
