import { newId, type Refusal } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { deliver, ship } from './fulfilment.ts';
import { withoutPerson, type Order } from './order.ts';
import { noon, placedOrder, asked } from '../../../test/placed-order.ts';

/** Ships, and returns the order after it. */
function shipped(order: Order, lines?: { lineId: string; quantity: number }[], id = newId('shpm')): Order {
  const answered = ship(order, { id, given: lines ? { lines } : {} }, asked);
  if (!answered) throw new Error('the shipment is known');
  return answered.order;
}

const refusalOf = (work: () => unknown): Refusal => {
  try {
    work();
  } catch (error) {
    return error as Refusal;
  }
  throw new Error('it was not refused');
};

describe('a shipment', () => {
  it('is of some pieces, or of all that are left', () => {
    const order = placedOrder({ quantities: [2, 1] });
    const first = shipped(order, [{ lineId: '1', quantity: 1 }]);
    expect(first).toMatchObject({ fulfilment: 'partial', lines: [{ shipped: 1 }, { shipped: 0 }] });
    const all = shipped(first);
    expect(all).toMatchObject({ fulfilment: 'shipped', lines: [{ shipped: 2 }, { shipped: 1 }] });
    expect(all.shipments[1]?.lines).toEqual([
      { lineId: '1', quantity: 1 },
      { lineId: '2', quantity: 1 },
    ]);
    expect(refusalOf(() => shipped(all))).toMatchObject({ code: 'invalid_transition' });
  });

  it('is one, however often it is asked for under its id', () => {
    const id = newId('shpm');
    expect(ship(shipped(placedOrder({ quantities: [2] }), undefined, id), { id, given: {} }, asked)).toBeNull();
  });

  it('names each line of which there are fewer, and each that does not exist', () => {
    const order = shipped(placedOrder({ quantities: [2, 1, 4] }), [{ lineId: '1', quantity: 1 }]);
    const tooMany = refusalOf(() =>
      shipped(order, [
        { lineId: '1', quantity: 2 },
        { lineId: '2', quantity: 1 },
        { lineId: '3', quantity: 5 },
      ]),
    );
    expect(tooMany).toMatchObject({
      code: 'not_enough_left',
      members: {
        lines: [
          { lineId: '1', left: 1 },
          { lineId: '3', left: 4 },
        ],
      },
    });
    const wrong = refusalOf(() =>
      shipped(order, [
        { lineId: '2', quantity: 1 },
        { lineId: '9', quantity: 1 },
        { lineId: '2', quantity: 1 },
      ]),
    );
    expect(wrong.fields?.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/lines/1/lineId', 'unknown_line'],
      ['/lines/2/lineId', 'duplicate'],
    ]);
  });

  it('waits while the payment is disputed', () => {
    const order = placedOrder({ quantities: [1] });
    const disputed = { ...order, payment: { ...order.payment, disputed: 100 } };
    expect(refusalOf(() => shipped(disputed))).toMatchObject({ code: 'payment_disputed' });
  });

  it('keeps the person of an erased order for as long as the parcel may come back', () => {
    const order = placedOrder({ quantities: [1] });
    expect(shipped(order).forgetAt).toBeNull();
    const erased = { ...order, forgetAt: new Date(noon.getTime() + 1000) };
    expect(shipped(erased).forgetAt).toEqual(new Date('2026-12-26T12:00:00Z'));
  });
});

it('is nobody’s any more without its person, nor are its parcels', () => {
  const given = { carrier: 'DHL', trackingNumber: 'JJD-7', trackingUrl: 'https://parcels.example/JJD-7' };
  const order = ship(placedOrder({ quantities: [1] }), { id: newId('shpm'), given }, asked)?.order;
  if (!order) throw new Error('the shipment is known');
  const entry = { at: noon, what: 'refunded', by: 'shop' as const, lines: [], amount: 1, changeId: null };
  const erased = withoutPerson({ ...order, timeline: [{ ...entry, reason: 'Ada called.' }] });
  expect(JSON.stringify(erased)).not.toMatch(/Ada|JJD-7|Keizersgracht/);
  expect(erased).toMatchObject({ fulfilment: 'shipped', shipments: [{ carrier: 'DHL' }], timeline: [{ amount: 1 }] });
});

it('is delivered once all of it is shipped', () => {
  const order = placedOrder({ quantities: [2] });
  const some = shipped(order, [{ lineId: '1', quantity: 1 }]);
  for (const early of [order, some])
    expect(refusalOf(() => deliver(early, asked))).toMatchObject({ code: 'invalid_transition' });
  expect(deliver(shipped(some), asked)).toMatchObject({
    order: { fulfilment: 'delivered', deliveredAt: noon },
    step: { lines: [{ lineId: '1', quantity: 2 }] },
  });
});
