import { idFromUuid, type Fact } from '@storefront/contracts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/arbitrary.ts';
import { stated } from '../../../test/states.ts';
import type { Payment } from '../../domain/payment.ts';
import type { ProviderFact } from '../../domain/provider-fact.ts';
import { withFact } from '../../domain/receipts.ts';
import { countMoney } from './count-money.ts';
import { actionsOf, newOrderPayment, type Decided, type OrderPayment } from './order-payment.ts';
import {
  callAnswered,
  pageClosed,
  pageOpened,
  pageRefused,
  refundRefused,
  returnAddressOf,
} from './provider-actions.ts';
import { cancel, reduce, requestCard, requestClosing, type PaymentRequest } from './request-payment.ts';

const now = new Date('2026-11-26T12:00:00.000Z');
const total = 1000;
const payment = (number: number) => idFromUuid('pay', `01890000-0000-7000-8000-00000000000${number}`);
const [first, second] = [payment(1), payment(2)];

const request = (paymentId: string, sequence = 1): PaymentRequest => ({
  subject: 'ord_1',
  sequence,
  data: { paymentId, userId: null, method: 'card', currency: 'EUR', amount: total, returnUrl: null },
});

/**
 * An order, and a provider with pages and money of its own. What the order decides to call it for is called when a test
 * says so, and what the provider states arrives when a test says so.
 */
function begin({ hasProvider = true } = {}) {
  let record: OrderPayment = newOrderPayment('ord_1', 'EUR', now);
  const receipts = new Map<string, Payment['receipts']>();
  const facts: Fact<any>[] = [];
  const open = new Set<string>();
  const captures: { paymentId: string; reference: string; amount: number; left: number }[] = [];
  const refunds = new Map<string, number>();
  const sent: { paymentId: string; fact: ProviderFact }[] = [];
  const late: (() => Decided)[] = [];
  let ids = 0;

  const take = (decided: Decided | null): void => {
    if (decided === null) return;
    ({ record } = decided);
    facts.push(...decided.facts);
  };
  const receive = (paymentId: string, fact: ProviderFact): void => {
    const joined = withFact(receipts.get(paymentId) ?? [], fact);
    receipts.set(paymentId, joined);
    take(countMoney(record, { id: paymentId, receipts: joined }, now));
  };
  /** Takes money back at the provider, and has it state that. */
  const takeBack = (kind: 'refunded' | 'disputed', of: number, amount: number): void => {
    const capture = captures[of % Math.max(1, captures.length)];
    const taken = Math.min(amount, capture?.left ?? 0);
    if (!capture || taken === 0) return;
    capture.left -= taken;
    const { paymentId, reference } = capture;
    sent.push({ paymentId, fact: stated({ kind, amount: taken, reference, id: `x${(ids += 1)}` }) });
  };

  return {
    record: () => record,
    facts,
    open,
    typesOf: () => facts.map(({ type }) => type.replace('billing.', '')),
    request: (paymentId: string, sequence?: number) =>
      take(requestCard(record, request(paymentId, sequence), { provider: hasProvider ? 'demo' : null, now })),
    close: () => take(requestClosing(record, now)),
    cancel: () => take(cancel(record, now)),
    reduce: (keep: number) => take(reduce(record, { keep, charged: { quantities: [], shipping: true } }, now)),
    pay(paymentId: string, amount: number) {
      if (!open.has(paymentId)) return;
      const reference = `tr_${(ids += 1)}`;
      captures.push({ paymentId, reference, amount, left: amount });
      sent.push({ paymentId, fact: stated({ kind: 'captured', amount, reference }) });
    },
    fail: (paymentId: string) =>
      sent.push({ paymentId, fact: stated({ kind: 'failed', amount: 0, reference: `tr_${(ids += 1)}` }) }),
    refundAtProvider: (of: number, amount: number) => takeBack('refunded', of, amount),
    dispute: (of: number, amount: number) => takeBack('disputed', of, amount),
    /** Makes one of the calls; its answer may come late, or never. */
    call(which = 0, isLate = false) {
      const actions = actionsOf(record);
      const action = actions[which % Math.max(1, actions.length)];
      if (!action) return;
      let answer: () => Decided;
      if (action.kind === 'refund') {
        const { id, paymentId, reference, amount } = action.refund;
        const capture = captures.find((each) => each.reference === reference);
        if (!refunds.has(id) && (capture?.left ?? 0) >= amount && capture) {
          capture.left -= amount;
          refunds.set(id, amount);
          sent.push({ paymentId, fact: stated({ kind: 'refunded', amount, reference, id }) });
        }
        answer = () => {
          if (!refunds.has(id)) return refundRefused(callAnswered(record), id, 'nothing left', now);
          const joined = withFact(receipts.get(paymentId) ?? [], stated({ kind: 'refunded', amount, reference, id }));
          receipts.set(paymentId, joined);
          return countMoney(callAnswered(record), { id: paymentId, receipts: joined }, now, { id, providerId: id });
        };
      } else {
        const { paymentId } = action.attempt;
        if (action.kind === 'open') open.add(paymentId);
        else open.delete(paymentId);
        answer = () =>
          action.kind === 'open'
            ? pageOpened(callAnswered(record), paymentId, { redirectUrl: `https://${paymentId}`, reference: null }, now)
            : pageClosed(callAnswered(record), paymentId, now);
      }
      if (isLate) late.push(answer);
      else take(answer());
    },
    /** An answer comes late: meanwhile another instance may have made the same call. */
    answer(which = 0) {
      const [answer] = late.splice(which % Math.max(1, late.length), 1);
      if (answer) take(answer());
    },
    receive(paymentId: string, statements: readonly ProviderFact[]) {
      for (const each of statements) receive(paymentId, each);
    },
    refuseToOpen: (reason: string) => take(pageRefused(record, first, reason, now)),
    refuseRefund: (id: string) => take(refundRefused(record, id, 'no', now)),
    /** Delivers one of the callbacks; it may come again later. */
    deliver(which = 0, again = false) {
      const [callback] = again
        ? sent.slice(which % Math.max(1, sent.length))
        : sent.splice(which % Math.max(1, sent.length), 1);
      if (callback) receive(callback.paymentId, callback.fact);
    },
    /** Until there is nothing to call and nothing on its way. */
    settle() {
      for (let left = 1000; left > 0 && (actionsOf(record).length > 0 || sent.length > 0); left -= 1) {
        this.call();
        this.deliver();
      }
    },
    truth: () => ({
      received: captures.reduce((sum, { amount }) => sum + amount, 0),
      left: captures.reduce((sum, { left }) => sum + left, 0),
    }),
    refunds,
  };
}

describe('an order of which a part is cancelled or refunded', () => {
  it('gives back what the shop may not keep, once, in whatever order its events come', () => {
    for (const keeps of [
      [700, 200],
      [200, 700],
    ]) {
      const order = begin();
      order.request(first);
      order.call();
      order.pay(first, total);
      order.settle();
      for (const keep of keeps) {
        order.reduce(keep);
        order.settle();
      }
      expect(order.truth()).toEqual({ received: total, left: 200 });
      expect(order.record()).toMatchObject({ due: 200, keep: 200, refunded: 800, state: 'paid' });
      order.cancel();
      order.reduce(100);
      order.settle();
      expect(order.truth().left).toBe(0);
      expect(order.record()).toMatchObject({ due: 0, state: 'refunded' });
    }
  });

  it('counts what staff have refunded at the provider', () => {
    const order = begin();
    order.request(first);
    order.call();
    order.pay(first, total);
    order.settle();
    order.refundAtProvider(0, 300);
    order.settle();
    order.reduce(800);
    order.settle();
    expect(order.truth().left).toBe(700);
    order.reduce(600);
    order.settle();
    expect(order.truth().left).toBe(600);
  });

  it('keeps no more of a payment that was requested before, and comes later', () => {
    const order = begin();
    order.reduce(200);
    order.request(first);
    order.call();
    order.pay(first, total);
    order.settle();
    expect(order.record()).toMatchObject({ due: 200 });
    expect(order.truth().left).toBe(200);
  });
});

describe('an order that is paid by card', () => {
  it('is told where it can be paid, and again what it was told', () => {
    const order = begin();
    order.request(first);
    expect(order.typesOf()).toEqual([]);
    order.call();
    order.request(first);
    const opened = { paymentId: first, redirectUrl: `https://${first}` };
    expect(order.facts.map(({ data }) => data)).toEqual([opened, opened]);
    expect(order.record().nextCallAt).toBeNull();
  });

  it('is told that it can not be paid where no provider has pages, or its provider refuses', () => {
    const order = begin({ hasProvider: false });
    order.request(first);
    order.request(first);
    const refused = { paymentId: first, reason: 'payments_not_configured' };
    expect(order.facts.map(({ data }) => data)).toEqual([refused, refused]);
    const other = begin();
    other.request(first);
    other.refuseToOpen('too_small');
    expect(other.facts.map(({ data }) => data)).toEqual([{ paymentId: first, reason: 'too_small' }]);
  });

  it('has its old page closed before another one is opened', () => {
    const order = begin();
    order.request(first, 1);
    order.call();
    order.request(second, 2);
    expect(actionsOf(order.record()).map(({ kind }) => kind)).toEqual(['close']);
    order.call();
    expect(order.open).toEqual(new Set());
    order.call();
    expect(order.open).toEqual(new Set([second]));
    // The first request comes again, and a former one comes late.
    order.request(first, 1);
    order.request(payment(3), 1);
    expect(actionsOf(order.record())).toEqual([]);
  });

  it('is paid before it was told that it can be', () => {
    const order = begin();
    order.request(first);
    order.open.add(first);
    order.pay(first, total);
    order.deliver();
    expect(order.facts.at(-1)?.data).toMatchObject({ received: total, state: 'paid' });
    order.call();
    expect(order.typesOf().at(-1)).toBe('payment-opened');
  });

  it('is told of a payment that failed, and of one that comes then', () => {
    const order = begin();
    order.request(first);
    order.call();
    order.fail(first);
    order.deliver();
    expect(order.record().isBookkeeping).toBe(false);
    order.pay(first, 400);
    order.deliver();
    order.pay(first, 600);
    order.deliver();
    const states = order.facts.slice(1).map(({ data }) => [data.received, data.state]);
    expect(states).toEqual([
      [0, 'failed'],
      [400, 'open'],
      [total, 'paid'],
    ]);
  });

  it('gets back what was paid too much: the last of it', () => {
    const order = begin();
    order.request(first);
    order.call();
    order.pay(first, total);
    order.pay(first, total);
    order.settle();
    expect(order.record().transfers.map(({ reference, refunded }) => [reference, refunded])).toEqual([
      ['tr_1', 0],
      ['tr_2', total],
    ]);
    expect(order.facts.at(-1)?.data).toMatchObject({ received: 2 * total, refunded: total, state: 'paid' });
    // A refusal that comes late is of a call that was made twice.
    order.refuseRefund(order.record().refunds[0]?.id ?? '');
    expect(order.record().refunds.map(({ state }) => state)).toEqual(['done']);
  });

  it('says once that it is closed, when no page is open any more, and keeps what came until it is cancelled', () => {
    const order = begin();
    order.request(first);
    order.call();
    order.pay(first, 400);
    order.close();
    expect(order.typesOf()).not.toContain('payment-closed');
    order.deliver();
    order.call();
    expect(order.facts.at(-1)).toMatchObject({ type: 'billing.payment-closed', data: { received: 400, refunded: 0 } });
    expect(actionsOf(order.record())).toEqual([]);
    order.close();
    expect(order.typesOf().filter((type) => type === 'payment-closed')).toHaveLength(2);
    order.cancel();
    order.settle();
    expect(order.facts.at(-1)?.data).toMatchObject({ received: 400, refunded: 400, state: 'refunded' });
  });

  it('has no effect any more once it is closed or cancelled, whatever comes first', () => {
    for (const end of ['close', 'cancel'] as const) {
      const order = begin();
      order[end]();
      order.request(first);
      order.settle();
      expect([end, order.record().attempts]).toEqual([end, []]);
      expect(order.facts.map(({ data }) => data)).toEqual(
        end === 'close' ? [{ currency: 'EUR', received: 0, refunded: 0 }] : [],
      );
    }
  });

  it('says what a provider refuses to refund, does not request it again, and refunds what comes later', () => {
    const order = begin();
    order.request(first);
    order.call();
    order.pay(first, total);
    order.deliver();
    order.cancel();
    const [refund] = order.record().refunds;
    order.refuseRefund(refund?.id ?? '');
    expect(order.facts.at(-1)?.data).toMatchObject({ refunded: 0, refundsFailed: total });
    expect(actionsOf(order.record()).filter(({ kind }) => kind === 'refund')).toEqual([]);
    order.pay(first, 300);
    order.settle();
    expect(order.facts.at(-1)?.data).toMatchObject({ received: 1300, refunded: 300, refundsFailed: total });
  });

  it('is told of no page that it wants closed before the provider has answered', () => {
    const order = begin();
    order.request(first);
    order.call(0, true);
    order.close();
    order.answer();
    expect(order.typesOf()).toEqual([]);
    order.call();
    expect(order.typesOf()).toEqual(['payment-closed']);
    expect(order.open).toEqual(new Set());
  });

  it('never has more back than came, whatever the provider states first', () => {
    const order = begin();
    order.request(first);
    const receipts = (['refunded', 'disputed'] as const).map((kind) => stated({ kind, amount: total + 300, id: kind }));
    order.receive(first, receipts);
    expect(order.facts).toEqual([]);
    order.receive(first, [stated({ kind: 'captured', amount: total })]);
    expect(order.facts.at(-1)?.data).toMatchObject({
      received: total,
      refunded: total,
      disputed: 0,
      state: 'refunded',
    });
  });

  it('leads back to the shop with the ids of the order and the payment', () => {
    const attempt = { paymentId: 'pay_1', returnUrl: 'https://shop.example/done?lang=de&order=x' };
    expect(returnAddressOf('ord_1', attempt)).toBe('https://shop.example/done?lang=de&order=ord_1&payment=pay_1');
    expect(returnAddressOf('ord_1', { ...attempt, returnUrl: null })).toBeNull();
  });
});

const amount = fc.constantFrom(100, 400, 600, 1000, 1300);
const nth = fc.nat(5);
const number = fc.integer({ min: 1, max: 3 });
const kinds = {
  request: fc.record({ do: fc.constant('request' as const), number }),
  pay: fc.record({ do: fc.constant('pay' as const), amount }),
  fail: fc.record({ do: fc.constant('fail' as const), number }),
  call: fc.record({ do: fc.constant('call' as const), nth, isLate: fc.boolean() }),
  answer: fc.record({ do: fc.constant('answer' as const), nth }),
  deliver: fc.record({ do: fc.constant('deliver' as const), nth, again: fc.boolean() }),
  end: fc.record({ do: fc.constantFrom('close' as const, 'cancel' as const) }),
};
const step = fc.oneof(
  { weight: 2, arbitrary: kinds.request },
  { weight: 6, arbitrary: kinds.pay },
  { weight: 1, arbitrary: kinds.fail },
  { weight: 6, arbitrary: kinds.call },
  { weight: 3, arbitrary: kinds.answer },
  { weight: 8, arbitrary: kinds.deliver },
  { weight: 1, arbitrary: kinds.end },
);
const back = fc.record({ do: fc.constantFrom('refundAtProvider' as const, 'dispute' as const), nth, amount });
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;
type Back = typeof back extends fc.Arbitrary<infer Each> ? Each : never;

function run(steps: readonly (Step | Back)[]) {
  const order = begin();
  for (const each of steps) {
    switch (each.do) {
      case 'request':
        order.request(payment(each.number), each.number);
        break;
      case 'pay':
        for (const paymentId of order.open) order.pay(paymentId, each.amount);
        break;
      case 'fail':
        order.fail(payment(each.number));
        break;
      case 'call':
        order.call(each.nth, each.isLate);
        break;
      case 'answer':
        order.answer(each.nth);
        break;
      case 'deliver':
        order.deliver(each.nth, each.again);
        break;
      case 'close':
      case 'cancel':
        order[each.do]();
        break;
      case 'refundAtProvider':
      case 'dispute':
        order[each.do](each.nth, each.amount);
        break;
    }
    const { received, refunded, disputed } = order.record();
    expect(refunded + disputed).toBeLessThanOrEqual(received);
    expect(order.open.size).toBeLessThanOrEqual(1);
  }
  const [wasClosed, wasCancelled] = [order.record().closing !== 'none', order.record().isCancelled];
  order.settle();
  const record = order.record();
  const { received, left } = order.truth();
  expect(record.received).toBe(received);
  expect(record.received - record.refunded - record.disputed).toBe(left);
  expect(actionsOf(record)).toEqual([]);
  expect(order.open.size).toBeLessThanOrEqual(wasClosed || wasCancelled ? 0 : 1);
  expect(order.typesOf().includes('payment-closed')).toBe(wasClosed);
  return { order, record, received, left };
}

describe('whatever happens to an order, late, twice and in any order', () => {
  it('the shop keeps what is due or all that came, and everything else goes back once', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { order, record, received, left } = run(steps);
        expect(left).toBe(Math.min(received, record.due));
        expect(record.refundsFailed).toBe(0);
        expect([...order.refunds.values()].reduce((sum, each) => sum + each, 0)).toBe(record.refunded);
      }),
      runs,
    );
  });

  it('nothing is kept beyond what is due but what can not be refunded, also where the provider itself takes money back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 10, arbitrary: step }, { weight: 1, arbitrary: back }), { maxLength: 40 }),
        (steps) => {
          const { record, left } = run(steps);
          expect(left - record.due).toBeLessThanOrEqual(record.refundsFailed);
          expect(record.refundsFailed).toBeLessThanOrEqual(left);
        },
      ),
      runs,
    );
  });
});
