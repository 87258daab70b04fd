import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../test/arbitrary.ts';
import { arriving, demo, stripe, type Simulated, type Truth } from '../../test/simulated-providers.ts';
import { aPayment, stated, type Stated } from '../../test/states.ts';
import { demoProvider } from '../providers/demo.ts';
import type { Provider } from '../providers/provider.ts';
import { stripeProvider } from '../providers/stripe.ts';
import type { Receipt } from './payment.ts';
import { takesFact } from './provider-fact.ts';
import { hasRoomFor, receivedOf, withFact } from './receipts.ts';

/** The receipts of a payment after what has arrived. */
function receiptsOf(provider: Provider, bodies: readonly string[]): readonly Receipt[] {
  let receipts: readonly Receipt[] = [];
  for (const body of bodies) {
    const translation = provider.translate(provider.keep(Buffer.from(body)));
    if (translation.kind === 'malformed') throw new Error(`malformed: ${body}`);
    if (translation.kind === 'fact') receipts = withFact(receipts, translation.fact);
  }
  return receipts;
}

function sumsOf(receipts: readonly Receipt[]): Truth {
  return {
    received: receivedOf(receipts),
    refunded: receipts.reduce((total, { refunded }) => total + refunded, 0),
    disputed: receipts.reduce((total, { disputed }) => total + disputed, 0),
  };
}

describe('what was received is what the provider itself says', () => {
  const withOrder = (payment: Simulated) =>
    fc.record({ payment: fc.constant(payment), arrived: arriving(payment.bodies) });

  it.each<[name: string, provider: Provider, payments: fc.Arbitrary<Simulated>]>([
    ['Stripe', stripeProvider({ secrets: [] }), stripe],
    ['the demo provider', demoProvider({ secrets: [], url: '' }), demo],
  ])('whatever %s sends, in any order and under any ids', (_name, provider, payments) => {
    fc.assert(
      fc.property(payments.chain(withOrder), ({ payment, arrived }) => {
        const receipts = receiptsOf(provider, arrived);
        expect(sumsOf(receipts)).toEqual(payment.truth);
        expect(receiptsOf(provider, payment.bodies)).toEqual(receipts);
      }),
      { numRuns: runs.numRuns * 5 },
    );
  });
});

const received = (...facts: readonly Stated[]) => {
  const orders = [facts, facts.toReversed(), [...facts, ...facts]];
  const sums = orders.map((order) => receivedOf(order.map(stated).reduce(withFact, [])));
  expect(new Set(sums).size).toBe(1);
  return sums[0];
};
const captured = { kind: 'captured', amount: 1000 } as const;

it('a capture counts once, and can only grow', () => {
  expect(received(captured, captured)).toBe(1000);
  expect(received(captured, { ...captured, amount: 400 })).toBe(1000);
  expect(received(captured, { ...captured, reference: 'tr_2' })).toBe(2000);
});

it('refunds count each once, and not what failed', () => {
  const refund = { kind: 'refunded', amount: 300 } as const;
  expect(received(captured, refund, refund)).toBe(700);
  expect(received(captured, refund, { ...refund, id: '2' })).toBe(400);
  expect(received(captured, refund, { ...refund, kind: 'refund-failed', at: 5 })).toBe(1000);
});

it('a sum of all refunds counts as it stood last, less what has failed since', () => {
  const inAll = (amount: number, at: number) => ({ kind: 'in-all', amount, at }) as const;
  expect(received(captured, inAll(700, 2), inAll(200, 1))).toBe(300);
  expect(received(captured, inAll(700, 1), inAll(200, 2))).toBe(800);
  expect(received(captured, inAll(300, 0), inAll(700, 0))).toBe(300);
  const failed = { kind: 'refund-failed', amount: 300, at: 2 } as const;
  expect(received(captured, inAll(300, 1), failed)).toBe(1000);
  expect(received(captured, inAll(300, 1), failed, inAll(200, 3))).toBe(800);
  expect(received(captured, inAll(300, 1), { kind: 'refunded', amount: 300 })).toBe(700);
});

it('a dispute that is won takes nothing, also where it is stated before the dispute is', () => {
  const dispute = { kind: 'disputed', amount: 400, at: 1 } as const;
  expect(received(captured, dispute, dispute)).toBe(600);
  expect(received(captured, dispute, { ...dispute, kind: 'won' })).toBe(1000);
  expect(received(captured, { ...dispute, kind: 'won' })).toBe(1000);
});

it('of one transfer 100 refunds and disputes are stored', () => {
  const refunds = Array.from({ length: 99 }, (_, at) => stated({ kind: 'refunded', amount: 1, id: String(at) }));
  const receipts = [...refunds, stated({ kind: 'disputed', amount: 1 })].reduce(withFact, []);
  expect(hasRoomFor(receipts, stated({ kind: 'refund-failed', amount: 1, id: '7' }))).toBe(true);
  expect(hasRoomFor(receipts, stated({ ...captured, amount: 500 }))).toBe(true);
  expect(hasRoomFor(receipts, stated({ kind: 'refunded', amount: 1, id: '99' }))).toBe(false);
  expect(hasRoomFor(receipts, stated({ kind: 'disputed', amount: 1, id: '99' }))).toBe(false);
});

it('a payment counts 100 transfers of its own currency', () => {
  const transfer = (at: number) => stated({ ...captured, reference: `tr_${at}` });
  const payment = aPayment({ receipts: Array.from({ length: 100 }, (_, at) => transfer(at)).reduce(withFact, []) });
  expect(takesFact(payment, 'demo', transfer(7))).toBe(true);
  expect(takesFact(payment, 'demo', transfer(100))).toBe(false);
  expect(takesFact(payment, 'demo', stated({ ...captured, reference: 'tr_7', currency: 'USD' }))).toBe(false);
});
