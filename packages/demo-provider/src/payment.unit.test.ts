import { describe, expect, it } from 'vitest';
import { act, ActionError, newPayment, type Action } from './payment.ts';

const euros = (amount: number) => ({ amount, currency: 'EUR' });
const fresh = newPayment('pay_1');

/** The payment after all of the actions, and what was said about the last of them. */
function after(...actions: readonly Action[]) {
  let count = 0;
  const newReference = () => `ref-${(count += 1)}`;
  let result: ReturnType<typeof act> = { payment: fresh, said: [] };
  for (const action of actions) result = act(result.payment, action, newReference);
  return result;
}
const pay = (amount: number, times: 1 | 2 = 1): Action => ({ kind: 'pay', amount: euros(amount), times });

describe('paying', () => {
  it('says each payment by a reference of its own', () => {
    expect(after(pay(12_000, 2)).said).toEqual([
      { type: 'payment.succeeded', data: { amount: euros(12_000), providerReference: 'ref-1' } },
      { type: 'payment.succeeded', data: { amount: euros(12_000), providerReference: 'ref-2' } },
    ]);
  });

  it('can fail, and succeed then', () => {
    const failed = after({ kind: 'fail', amount: euros(500) });
    expect(failed.said).toEqual([{ type: 'payment.failed', data: { amount: euros(500), providerReference: 'ref-1' } }]);
    expect(act(failed.payment, pay(500), () => 'ref-2').payment).toMatchObject({
      failures: 1,
      captures: [{ reference: 'ref-2', returned: 0 }],
    });
  });

  it('takes no amount of zero', () => {
    expect(() => after(pay(0))).toThrow(ActionError);
  });
});

describe('what goes back', () => {
  it('is a part, and then the rest, under the reference of what was paid', () => {
    const { payment, said } = after(pay(1000), { kind: 'refund', amount: euros(300) }, { kind: 'refund' });
    expect(said).toEqual([
      { type: 'payment.refunded', data: { amount: euros(700), providerReference: 'ref-1', refundReference: 'ref-3' } },
    ]);
    expect(payment.captures).toMatchObject([{ returned: 1000, isDisputed: false }]);
    expect(() => act(payment, { kind: 'refund' }, () => 'ref-2')).toThrow('There is nothing that could go back.');
  });

  it('is of the payment that is named', () => {
    const { payment, said } = after(pay(1000, 2), { kind: 'dispute', reference: 'ref-2' });
    expect(said).toEqual([
      { type: 'payment.disputed', data: { amount: euros(1000), providerReference: 'ref-2', refundReference: 'ref-3' } },
    ]);
    expect(payment.captures.map(({ returned, isDisputed }) => [returned, isDisputed])).toEqual([
      [0, false],
      [1000, true],
    ]);
  });

  it.each<[Action, string]>([
    [{ kind: 'refund', amount: euros(1001) }, 'That is more than what is left of this money.'],
    [{ kind: 'refund', amount: { amount: 1, currency: 'USD' } }, 'It was paid in EUR.'],
    [{ kind: 'dispute', reference: 'another' }, 'There is nothing that could go back.'],
    [{ kind: 'refund', amount: euros(0) }, 'The amount must be more than zero.'],
  ])('is not %j', (action, sentence) => {
    expect(() => after(pay(1000), action)).toThrow(new ActionError(sentence));
  });

  it('can be about a payment that nobody knows', () => {
    expect(after({ kind: 'refund', amount: euros(100) }).said).toEqual([
      { type: 'payment.refunded', data: { amount: euros(100), providerReference: 'ref-1', refundReference: 'ref-2' } },
    ]);
    expect(() => after({ kind: 'refund' })).toThrow('There is nothing that could go back.');
  });

  it('is made once under the id of the shop, and named by it', () => {
    const refund: Action = { kind: 'refund', id: 'rfnd_1', reference: 'ref-1', amount: euros(300) };
    const { payment, said } = after(pay(1000), refund);
    expect(said).toMatchObject([{ data: { amount: euros(300), refundReference: 'rfnd_1' } }]);
    expect(payment.refunds).toEqual([{ id: 'rfnd_1', reference: 'ref-1', amount: euros(300) }]);
    expect(after(pay(1000), refund, refund)).toEqual({ payment, said: [] });
  });
});

it('takes no money once the shop has closed it, and gives back what came before', () => {
  const { payment, said } = after(pay(1000), { kind: 'close' });
  expect(said).toEqual([]);
  for (const action of [pay(1000), { kind: 'fail', amount: euros(1) }] as const)
    expect(() => act(payment, action, () => 'ref-2')).toThrow('The shop has closed this payment.');
  expect(act(payment, { kind: 'refund' }, () => 'ref-2').said).toMatchObject([{ type: 'payment.refunded' }]);
});
