import { newId, type Refusal } from '@storefront/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asked, placedOrder } from '../../../test/placed-order.ts';
import { ship, toShipOf } from './fulfilment.ts';
import { keptOf } from './kept.ts';
import type { Order } from './order.ts';
import { hasChange, reduce, refund } from './reductions.ts';

const some = (lineId: string, quantity: number) => ({ lineId, quantity });
const eur = (amount: number) => ({ amount, currency: 'EUR' });

const cancelled = (order: Order, ...lines: { lineId: string; quantity: number }[]) =>
  reduce(order, { id: newId('och'), lines, reason: 'Broken.' }, asked);
const refunded = (order: Order, given: object) =>
  refund(order, { id: newId('och'), given: { reason: 'It came late.', ...given } }, asked);
function shipped(order: Order, ...lines: { lineId: string; quantity: number }[]): Order {
  const answered = ship(order, { id: newId('shpm'), given: { lines } }, asked);
  if (!answered) throw new Error('the shipment is known');
  return answered.order;
}

function refusalOf(work: () => unknown): Refusal {
  try {
    work();
  } catch (error) {
    return error as Refusal;
  }
  throw new Error('it was not refused');
}

const arbitraryOrder = fc
  .record({
    lines: fc.array(fc.record({ quantity: fc.integer({ min: 1, max: 7 }), discount: fc.nat(1000) }), {
      minLength: 1,
      maxLength: 3,
    }),
    tier: fc.constantFrom('retail' as const, 'trade' as const),
  })
  .map(({ lines, tier }) =>
    placedOrder({
      quantities: lines.map(({ quantity }) => quantity),
      discounts: lines.map(({ quantity, discount }) => Math.min(quantity * 1000, quantity * discount + 1)),
      tier,
    }),
  );

describe('a part that is cancelled', () => {
  it('costs what it has added, so all parts together cost what the order has cost', () => {
    fc.assert(
      fc.property(
        arbitraryOrder,
        fc.array(fc.record({ line: fc.nat(2), quantity: fc.integer({ min: 1, max: 3 }) })),
        (order, parts) => {
          let current = order;
          const amounts: number[] = [];
          for (const { line: at, quantity } of parts) {
            const line = current.lines[at % current.lines.length];
            const most = line ? Math.min(quantity, toShipOf(line)) : 0;
            if (!line || most === 0) continue;
            const { order: next, step } = cancelled(current, some(line.id, most));
            // The last piece would cancel the whole order.
            if (step.happening !== 'reduce') continue;
            amounts.push(step.amount ?? 0);
            current = next;
          }
          expect(amounts.filter((amount) => amount < 0)).toEqual([]);
          expect(keptOf(order)).toBe(order.totals.total);
          expect(amounts.reduce((sum, amount) => sum + amount, keptOf(current))).toBe(order.totals.total);
        },
      ),
    );
  });

  it('costs its share of the discount, to the cent', () => {
    // Three pieces for 30.00, less 1.00; and shipping for 5.00.
    const order = placedOrder({ quantities: [3], discounts: [100] });
    const first = cancelled(order, some('1', 1));
    expect(first.step.amount).toBe(967);
    const second = cancelled(first.order, some('1', 1));
    expect(second.step.amount).toBe(966);
    expect(keptOf(second.order)).toBe(967 + 500);
    expect(second.order.lines[0]).toMatchObject({ quantity: 3, cancelled: 2, shipped: 0 });
  });

  it('is of what is not shipped, and is the whole order where nothing else is left', () => {
    const order = shipped(placedOrder({ quantities: [2, 1] }), some('1', 1));
    expect(refusalOf(() => cancelled(order, some('1', 2), some('2', 1)))).toMatchObject({
      code: 'not_enough_left',
      members: { lines: [{ lineId: '1', left: 1 }] },
    });
    const rest = cancelled(order, some('1', 1), some('2', 1));
    expect(rest).toMatchObject({ step: { happening: 'reduce', amount: 2000 }, order: { fulfilment: 'shipped' } });
    const whole = cancelled(placedOrder({ quantities: [2] }), some('1', 2));
    expect(whole.step).toMatchObject({ happening: 'cancel', by: 'shop', note: 'Broken.' });
    expect(whole.audit?.data).toMatchObject({ action: 'order-cancelled' });
    expect(refusalOf(() => shipped(rest.order, some('2', 1)))).toMatchObject({ code: 'not_enough_left' });
  });
});

describe('a refund', () => {
  it('is of pieces, of shipping, and of what the shop adds; the pieces stay as they are', () => {
    const order = shipped(placedOrder({ quantities: [2] }), some('1', 1));
    const { order: after, step } = refunded(order, { lines: [some('1', 1)], shipping: true, goodwill: eur(100) });
    expect(step).toMatchObject({ happening: 'refund', amount: 1600, note: 'It came late.' });
    expect(keptOf(after)).toBe(900);
    expect(after.lines[0]).toMatchObject({ shipped: 1, cancelled: 0, refunded: 1 });
    expect(after.fulfilment).toBe('partial');
  });

  it('is never more than what the shop has kept', () => {
    const order = placedOrder({ quantities: [1] });
    expect(refusalOf(() => refunded(order, { goodwill: eur(1501) }))).toMatchObject({
      code: 'refund_too_large',
      members: { left: eur(1500) },
    });
    const { order: after } = refunded(order, { goodwill: eur(700) });
    expect(refusalOf(() => refunded(after, { lines: [some('1', 1)] }))).toMatchObject({
      code: 'refund_too_large',
      members: { left: eur(800) },
    });
    const all = refunded(after, { goodwill: eur(800) }).order;
    expect(keptOf(all)).toBe(0);
    expect(refusalOf(() => refunded(all, { goodwill: eur(1) }))).toMatchObject({ code: 'refund_too_large' });
  });

  it('is not of nothing, nor of what was refunded before', () => {
    const order = placedOrder({ quantities: [1] });
    expect(refusalOf(() => refunded(order, {}))).toMatchObject({ code: 'nothing_to_refund' });
    const after = refunded(order, { shipping: true, lines: [some('1', 1)] }).order;
    expect(refusalOf(() => refunded(after, { shipping: true }))).toMatchObject({ code: 'nothing_to_refund' });
    expect(refusalOf(() => refunded(after, { lines: [some('1', 1)] }))).toMatchObject({ code: 'not_enough_left' });
    expect(refusalOf(() => refunded(order, { goodwill: { amount: 1, currency: 'USD' } })).fields).toMatchObject([
      { pointer: '/goodwill/currency', code: 'other_currency' },
    ]);
  });

  it('of a piece that is cancelled afterwards is paid once', () => {
    const order = placedOrder({ quantities: [2] });
    const { order: after } = refunded(order, { lines: [some('1', 2)] });
    expect(cancelled(after, some('1', 1)).step).toMatchObject({ happening: 'reduce', amount: 0 });
  });
});

it('is known by its id once the order has it', () => {
  const id = newId('och');
  const order = placedOrder({ quantities: [2] });
  expect(hasChange(order, id)).toBe(false);
  const entry = { at: asked.now, what: 'refunded', by: 'shop' as const, lines: [], amount: 1, reason: null };
  expect(hasChange({ timeline: [{ ...entry, changeId: id }] }, id)).toBe(true);
});
