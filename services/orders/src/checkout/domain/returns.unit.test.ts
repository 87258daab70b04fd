import { newId, type ordersHttp, type Refusal } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { asked, noon, placedOrder } from '../../../test/placed-order.ts';
import { advance } from './advance.ts';
import type { Answered } from './answers.ts';
import { claim } from './changes.ts';
import { ship } from './fulfilment.ts';
import { segmentOf } from './order-facts.ts';
import { withoutPerson, type Order } from './order.ts';
import { reduce, refund } from './reductions.ts';
import { isReturn, receiveReturn, requestReturn, withdrawReturn } from './returns.ts';

const some = (lineId: string, quantity: number) => ({ lineId, quantity });

function taken(answered: Answered | null): Order {
  if (!answered) throw new Error('it is known');
  return answered.order;
}

/** The order with these pieces shipped. */
function shipped(order: Order, ...lines: { lineId: string; quantity: number }[]): Order {
  return taken(ship(order, { id: newId('shpm'), given: { lines } }, asked));
}

function announced(order: Order, lines: { lineId: string; quantity: number }[], id = newId('ret')): Order {
  return taken(requestReturn(order, { id, by: 'buyer', given: { lines, reason: 'Ada wants a blue one.' } }, asked));
}

/** The order with its newest return received. */
function received(order: Order, given: Partial<ordersHttp.ReturnReceipt> = {}): Order {
  const id = order.returns.at(-1)?.id ?? '';
  return taken(receiveReturn(order, { id, given: { restock: true, ...given } }, asked));
}

function refusalOf(work: () => unknown): Refusal {
  try {
    work();
  } catch (error) {
    return error as Refusal;
  }
  throw new Error('it was not refused');
}

const leftIn = (work: () => unknown) => refusalOf(work).members?.['lines'];

describe('a return', () => {
  it('is of shipped pieces that are neither on their way back nor returned, however many windows announce it', () => {
    const order = shipped(placedOrder({ quantities: [3, 2] }), some('1', 2));
    expect(leftIn(() => announced(order, [some('1', 3), some('2', 1)]))).toEqual([
      { lineId: '1', left: 2 },
      { lineId: '2', left: 0 },
    ]);
    const once = announced(order, [some('1', 2)]);
    expect(leftIn(() => announced(once, [some('1', 1)]))).toEqual([{ lineId: '1', left: 0 }]);
    const back = received(once);
    expect(leftIn(() => announced(back, [some('1', 1)]))).toEqual([{ lineId: '1', left: 0 }]);
    expect(back.lines[0]).toMatchObject({ shipped: 2, returned: 2 });
  });

  it('of a line that is cancelled in part is of what was shipped of it', () => {
    const cut = reduce(
      placedOrder({ quantities: [3] }),
      { id: newId('och'), lines: [some('1', 1)], reason: '' },
      asked,
    );
    const order = shipped(cut.order, some('1', 2));
    expect(leftIn(() => announced(order, [some('1', 3)]))).toEqual([{ lineId: '1', left: 2 }]);
    expect(received(announced(order, [some('1', 2)])).lines[0]).toMatchObject({ cancelled: 1, returned: 2 });
  });

  it('may be received with less than was announced; what is left may be announced again', () => {
    const order = announced(shipped(placedOrder({ quantities: [3] }), some('1', 3)), [some('1', 3)]);
    expect(leftIn(() => received(order, { lines: [some('1', 4)] }))).toEqual([{ lineId: '1', left: 3 }]);
    const back = received(order, { lines: [some('1', 1)], restock: false });
    expect(back.returns).toMatchObject([{ status: 'received', lines: [some('1', 1)], isRestocked: false }]);
    expect(leftIn(() => announced(back, [some('1', 3)]))).toEqual([{ lineId: '1', left: 2 }]);
  });

  it('is announced once and received once under its id', () => {
    const id = newId('ret');
    const order = announced(shipped(placedOrder({ quantities: [2] }), some('1', 2)), [some('1', 1)], id);
    const given = { lines: [some('1', 1)], reason: 'Again.' };
    expect(requestReturn(order, { id, by: 'buyer', given }, asked)).toBeNull();
    expect(receiveReturn(received(order), { id, given: { restock: true } }, asked)).toBeNull();
    const unknown = { id: newId('ret'), given: { restock: true } };
    expect(refusalOf(() => receiveReturn(order, unknown, asked))).toMatchObject({ code: 'not_found' });
  });

  it('may be withdrawn until it has come, once; its pieces may be announced again', () => {
    const order = announced(shipped(placedOrder({ quantities: [2] }), some('1', 2)), [some('1', 2)]);
    const [id = ''] = order.returns.map((each) => each.id);
    const withdraw = (from: Order) => withdrawReturn(from, { id, by: 'buyer' }, asked);
    const kept = taken(withdraw(order));
    expect(kept.returns).toMatchObject([{ status: 'withdrawn', lines: [some('1', 2)] }]);
    expect(withdraw(kept)).toBeNull();
    expect(refusalOf(() => received(kept))).toMatchObject({ code: 'invalid_transition' });
    const again = received(announced(kept, [some('1', 2)]));
    expect(again.lines[0]).toMatchObject({ shipped: 2, returned: 2 });
    expect(refusalOf(() => withdraw(received(order)))).toMatchObject({ code: 'invalid_transition' });
    const unknown = { id: newId('ret'), by: 'buyer' as const };
    expect(refusalOf(() => withdrawReturn(order, unknown, asked))).toMatchObject({ code: 'not_found' });
  });

  it('leaves other returns and other lines as they are', () => {
    const sent = shipped(placedOrder({ quantities: [2, 1] }), some('1', 2), some('2', 1));
    const order = announced(announced(sent, [some('1', 1)]), [some('2', 1)]);
    const [first, second] = order.returns.map(({ id }) => id);
    const statusesOf = ({ returns }: Order) => returns.map(({ status }) => status);
    const withdrawn = taken(withdrawReturn(order, { id: first ?? '', by: 'buyer' }, asked));
    expect(statusesOf(withdrawn)).toEqual(['withdrawn', 'requested']);
    const answered = receiveReturn(order, { id: second ?? '', given: { restock: true } }, asked);
    expect(answered?.audit?.data).toMatchObject({ details: { return: second, pieces: 1, restocked: true } });
    const back = taken(answered);
    expect(statusesOf(back)).toEqual(['requested', 'received']);
    expect(back.lines.map(({ returned }) => returned)).toEqual([0, 1]);
    expect(isReturn('requested', back, second ?? '')).toBe(false);
    expect(isReturn('requested', back, first ?? '')).toBe(true);
  });

  it('has others beside it, up to 50', () => {
    const shippedOrder = shipped(placedOrder({ quantities: [60] }), some('1', 60));
    const full = Array.from({ length: 50 }).reduce<Order>((order) => announced(order, [some('1', 1)]), shippedOrder);
    expect(refusalOf(() => announced(full, [some('1', 1)]))).toMatchObject({ code: 'too_many_returns' });
  });
});

describe('a piece that comes back', () => {
  const refundOf = (order: Order) =>
    refund(order, { id: newId('och'), given: { lines: [some('1', 1)], reason: 'It came back.' } }, asked);

  it.each(['before', 'after'] as const)('is refunded once: %s it has come', (when) => {
    const sent = announced(shipped(placedOrder({ quantities: [1] }), some('1', 1)), [some('1', 1)]);
    const both = when === 'before' ? received(refundOf(sent).order) : refundOf(received(sent)).order;
    expect(both.lines[0]).toMatchObject({ returned: 1, refunded: 1 });
    expect(leftIn(() => refundOf(both))).toEqual([{ lineId: '1', left: 0 }]);
  });
});

describe('an order whose owner was erased', () => {
  const sent = announced(shipped(placedOrder({ quantities: [1] }), some('1', 1)), [some('1', 1)]);

  it('keeps its person for as long as a refund may follow the return', () => {
    expect(received({ ...sent, forgetAt: noon }).forgetAt).toEqual(new Date('2026-12-26T12:00:00Z'));
  });

  it('says nothing of the owner, and still takes its pieces back; nobody gets a mail', () => {
    const nobodys = withoutPerson(sent);
    expect(JSON.stringify(nobodys)).not.toContain('Ada');
    const id = nobodys.returns[0]?.id ?? '';
    const answered = receiveReturn(nobodys, { id, given: { restock: true } }, asked);
    if (!answered) throw new Error('it is received');
    const decided = advance(answered.order, answered.step, { now: noon, number: null });
    expect(decided).toMatchObject({ state: { forgetAt: null, timeline: [{ what: 'returned', by: 'shop' }] } });
    expect(decided.kind === 'changed' && decided.facts).toMatchObject([
      { type: 'orders.order-returned', data: { returnId: id, userId: null, segment: 'retail', restocked: true } },
    ]);
  });

  it('still counts as that of a guest, if it was one that the owner has claimed', () => {
    const { order, step } = claim({ ...sent, email: 'guest@example.com' }, newId('user'));
    const claimed = advance(order, step, { now: noon, number: null });
    if (claimed.kind !== 'changed') throw new Error('it is claimed');
    expect([sent, claimed.state, withoutPerson(claimed.state)].map(segmentOf)).toEqual(['retail', 'guest', 'guest']);
  });
});
