import { exponentOf as exponentOfApi, toDecimal as toDecimalOfApi } from '@storefront/money';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { exponentOf, formatMoney, toDecimal } from '../src/money.ts';

it('has the decimals of each currency that the API has', () => {
  for (const currency of Intl.supportedValuesOf('currency'))
    expect([currency, exponentOf(currency)]).toEqual([currency, exponentOfApi(currency)]);
});

it('writes every amount exactly', () => {
  const amount = fc.maxSafeInteger();
  const currency = fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF');
  fc.assert(
    fc.property(amount, currency, (amount, currency) => {
      expect(toDecimal({ amount, currency })).toBe(toDecimalOfApi({ amount, currency }));
      const digits = formatMoney({ amount, currency }, 'en').replaceAll(/\D/g, '');
      expect(BigInt(digits)).toBe(BigInt(Math.abs(amount)));
    }),
  );
});

it('writes money as people do', () => {
  expect(formatMoney({ amount: 199_950, currency: 'EUR' }, 'de').replaceAll('\u00a0', ' ')).toBe('1.999,50 €');
  expect(formatMoney({ amount: 1999, currency: 'JPY' }, 'en')).toBe('¥1,999');
  expect(
    formatMoney({ amount: -5, currency: 'EUR' }, 'en', { currencyDisplay: 'code' }).replaceAll('\u00a0', ' '),
  ).toBe('-EUR 0.05');
});
