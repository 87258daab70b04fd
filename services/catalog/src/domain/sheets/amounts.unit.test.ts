import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { readAmount } from './amounts.ts';

const read = (text: string, currency = 'EUR', decimalSign: '.' | ',' = ',') =>
  readAmount(text, { currency, decimalSign });

describe('an amount', () => {
  it.each([
    ['19,99', 1999],
    ['19.99', 1999],
    ['19,9', 1990],
    ['1.299,00', 129_900],
    ['1,299.00', 129_900],
    ['1.299.000', 129_900_000],
    ['1,299,000.5', 129_900_050],
    ["1'299.50", 129_950],
    ['1 299,50 €', 129_950],
    ['€ 5', 500],
    ['5 EUR', 500],
    ['1299', 129_900],
    ['0', 0],
  ])('%s is read', (text, amount) => {
    expect([read(text), read(text, 'EUR', '.')]).toEqual([{ amount }, { amount }]);
  });

  it.each(['1.299', '1,299', '12.500', '999,000'])('%s is refused, since it can mean two amounts', (text) => {
    const thousand = text.replaceAll(/\D/g, '');
    expect(read(text)).toEqual({
      wrong: `can mean ${thousand} as well as ${text.replace(',', '.')}: write all decimals, such as ${thousand},00`,
    });
    expect(read(text, 'JPY')).toEqual({ wrong: expect.stringContaining('can mean') });
  });

  it.each(['', '-5', '1.2.3', '1,2,3.4,5', '12.34.567', '1,29.00', '19,', '0,299', '1.2999', '5 $', '1e3', '٣'])(
    '%j is none',
    (text) => {
      expect(read(text)).toEqual({ wrong: 'is not an amount in EUR, such as 19,99' });
    },
  );

  it('has three decimals where the currency has them, after the sign of the file', () => {
    expect(read('1,299', 'KWD')).toEqual({ amount: 1299 });
    expect(read('1.299', 'KWD')).toEqual({ wrong: expect.stringContaining('can mean') });
    expect(read('1.299', 'KWD', '.')).toEqual({ amount: 1299 });
  });

  it('is never another one than was written, however it is written', () => {
    const written = fc.record({
      amount: fc.nat(10_000_000),
      group: fc.constantFrom('', '.', ',', ' ', "'"),
      sign: fc.constantFrom('.', ','),
      decimals: fc.constantFrom(0, 1, 2),
    });
    fc.assert(
      fc.property(written, ({ amount, group, sign, decimals }) => {
        fc.pre(group !== sign);
        const whole = String(Math.floor(amount / 100)).replaceAll(/\B(?=(\d{3})+$)/g, group);
        const rest = String(amount % 100)
          .padStart(2, '0')
          .slice(0, decimals);
        const meant = Math.floor(amount / 100) * 100 + Number(rest.padEnd(2, '0'));
        const answer = read(decimals === 0 ? whole : `${whole}${sign}${rest}`);
        const isAmbiguous = 'wrong' in answer && answer.wrong.startsWith('can mean');
        expect(isAmbiguous || 'amount' in answer).toBe(true);
        expect('amount' in answer ? answer.amount : meant).toBe(meant);
      }),
      { numRuns: inject('isProof') ? 10_000 : 200 },
    );
  });
});
