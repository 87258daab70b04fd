import { calendarOf } from '@storefront/calendar';
import { createCsv, type CsvCell } from '@storefront/csv';
import { fromDecimal } from '@storefront/money';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/arbitrary.ts';
import { placedOrder } from '../../../test/placed-order.ts';
import { orderColumns, rowsOfOrder } from './order-rows.ts';

const calendar = calendarOf('Europe/Berlin');
const rates = fc.constantFrom(0, 550, 700, 1900, 2525);
const discounted = fc
  .tuple(fc.nat(1_000_000), fc.constantFrom(0, 0, 0.3, 1))
  .map(([price, part]) => ({ price, discount: Math.floor(price * part) }));
const lines = fc.array(fc.tuple(fc.integer({ min: 1, max: 999 }), discounted, rates), { minLength: 1, maxLength: 8 });

const orders = fc
  .record({
    lines,
    shipping: fc.tuple(discounted, rates).map(([price, taxRate]) => ({ ...price, taxRate })),
    tier: fc.constantFrom('retail' as const, 'trade' as const),
    currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
  })
  .map(({ lines: some, ...rest }) =>
    placedOrder({
      ...rest,
      quantities: some.map(([quantity]) => quantity),
      unitPrices: some.map(([, { price }]) => price),
      discounts: some.map(([, { discount }]) => discount),
      taxRates: some.map(([, , rate]) => rate),
    }),
  );

const cellOf = (row: readonly CsvCell[], column: (typeof orderColumns)[number]) => row[orderColumns.indexOf(column)];

it('add up to the totals of the order, to the smallest unit, one row for each tax rate', () => {
  fc.assert(
    fc.property(orders, (order) => {
      const { currency, totals, payment } = order;
      const rows = rowsOfOrder(order, calendar);
      const text = createCsv(orderColumns).lines(rows).trimEnd().split('\r\n');
      /** As whoever adds up the column in a spreadsheet gets it. */
      const sumOf = (column: (typeof orderColumns)[number]) =>
        text.reduce((sum, row) => {
          const cell = row.split(',')[orderColumns.indexOf(column)] ?? '';
          return sum + (cell === '' ? 0 : (fromDecimal(cell, currency) ?? Number.NaN));
        }, 0);
      expect(sumOf('gross')).toBe(totals.total);
      expect(sumOf('tax')).toBe(totals.tax);
      expect(sumOf('net')).toBe(totals.total - totals.tax);
      expect(sumOf('shipping')).toBe(totals.shipping);
      expect(sumOf('discount')).toBe(totals.discount);
      expect(sumOf('received')).toBe(payment.received);
      expect(sumOf('refunded')).toBe(payment.refunded);
      const rates = rows.map((row) => cellOf(row, 'taxRate'));
      expect(new Set(rates).size).toBe(rates.length);
    }),
    runs,
  );
});

it('say when, what and where; in the dialect of a spreadsheet, and without formulas', () => {
  const order = placedOrder({ quantities: [2, 1], taxRates: [1900, 550], discounts: [300, 0], currency: 'KWD' });
  const { head, lines: written } = createCsv(orderColumns, 'excel-de');
  const placedAt = new Date('2026-11-30T23:30:00Z');
  const text = written(rowsOfOrder({ ...order, placedAt, reference: '=1+1' }, calendar));
  const first = `ORD-2026-000001;${order.id};2026-12-01;2026-11-30T23:30:00.000Z;placed;retail;NL;'=1+1;card;false;KWD`;
  expect(head.startsWith('\u{feff}number;id;placedOn;')).toBe(true);
  expect(text).toBe(
    `${first};19;1,849;0,351;2,200;0,500;0,300;3,200;0,000\r\n${first};5,5;0,948;0,052;1,000;0,000;0,000;;\r\n`,
  );
});
