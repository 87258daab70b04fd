import * as fc from 'fast-check';

/** What the provider itself says of all transfers together, in minor units. */
export interface Truth {
  /** What came less what went back. */
  readonly received: number;
  readonly refunded: number;
  readonly disputed: number;
}

/** A provider that has done something with the money of one payment, and the bodies of its events in the order in which they happened. */
export interface Simulated {
  readonly truth: Truth;
  readonly bodies: readonly string[];
}

/** What happens next: `pick` says to which of the objects, `share` how much of what is possible, `seconds` when. */
interface Step {
  readonly act: 'capture' | 'fail' | 'refund' | 'end-refund' | 'dispute' | 'end-dispute';
  readonly pick: number;
  readonly share: number;
  readonly isBad: boolean;
  readonly seconds: number;
}

interface Refund {
  readonly id: string;
  readonly amount: number;
  readonly created: number;
  status: 'pending' | 'succeeded' | 'failed' | 'canceled';
}

interface Dispute {
  readonly id: string;
  readonly amount: number;
  status: 'warning_needs_response' | 'needs_response' | 'appeal_under_review' | 'won' | 'lost';
}

interface Transfer {
  readonly reference: string;
  captured: number;
  readonly refunds: Refund[];
  readonly disputes: Dispute[];
}

const steps = fc.array(
  fc.record<Step>({
    act: fc.constantFrom('capture', 'fail', 'refund', 'refund', 'end-refund', 'end-refund', 'dispute', 'end-dispute'),
    pick: fc.nat(5),
    share: fc.integer({ min: 1, max: 100 }),
    isBad: fc.boolean(),
    seconds: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 25 },
);

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
const isGone = ({ status }: Refund) => status !== 'failed' && status !== 'canceled';
const isTaken = ({ status }: Dispute) => status !== 'won' && status !== 'warning_needs_response';
const refundedOf = ({ refunds }: Transfer) => sum(refunds.filter(isGone).map(({ amount }) => amount));
const disputedOf = ({ disputes }: Transfer) => sum(disputes.filter(isTaken).map(({ amount }) => amount));
// An inquiry keeps what it may take.
const leftOf = (transfer: Transfer) =>
  transfer.captured - refundedOf(transfer) - sum(transfer.disputes.map(({ amount }) => amount));

function truthOf(transfers: readonly Transfer[]): Truth {
  const [refunded, disputed] = [sum(transfers.map(refundedOf)), sum(transfers.map(disputedOf))];
  return { received: sum(transfers.map(({ captured }) => captured)) - refunded - disputed, refunded, disputed };
}

/** What of Stripe's events an account sends about refunds. */
const refundEvents = ['all', 'refunds', 'charges', 'charges and updates'] as const;
type RefundEvents = (typeof refundEvents)[number];

/** How many of Stripe's units are one minor unit. */
const stripeUnits: Readonly<Record<string, number>> = { EUR: 1, JPY: 1, KWD: 1, ISK: 100, UGX: 100 };

/** A payment by one or several payment intents. */
export const stripe: fc.Arbitrary<Simulated & { readonly currency: string }> = fc
  .record({
    steps,
    sends: fc.constantFrom(...refundEvents),
    currency: fc.constantFrom(...Object.keys(stripeUnits)),
  })
  .map(({ currency, ...given }) => ({ currency, ...runStripe(given.steps, given.sends, currency) }));

function runStripe(list: readonly Step[], sends: RefundEvents, currency: string): Simulated {
  const transfers: Transfer[] = [];
  const bodies: string[] = [];
  let [created, ids] = [1_790_000_000, 0];
  const newId = (prefix: string) => `${prefix}_${(ids += 1)}`;
  const units = (amount: number) => amount * (stripeUnits[currency] ?? 1);
  const emit = (type: string, object: object) => {
    const all = { currency: currency.toLowerCase(), ...object };
    bodies.push(JSON.stringify({ id: newId('evt'), object: 'event', type, created, data: { object: all } }));
  };
  const emitRefund = (type: string, { reference }: Transfer, { amount, ...refund }: Refund) =>
    emit(type, { object: 'refund', ...refund, amount: units(amount), payment_intent: reference, metadata: {} });
  const emitDispute = (type: string, { reference }: Transfer, { amount, ...dispute }: Dispute) =>
    emit(type, { object: 'dispute', ...dispute, amount: units(amount), payment_intent: reference, metadata: {} });
  const emitIntent = (type: string, { reference, captured }: Transfer, amount: number) =>
    emit(type, {
      object: 'payment_intent',
      id: reference,
      amount: units(amount),
      amount_received: units(captured),
      metadata: { paymentId: 'pay_1' },
    });

  function refund(transfer: Transfer, share: number): void {
    const amount = Math.ceil((leftOf(transfer) * share) / 100);
    if (amount === 0) return;
    const made: Refund = { id: newId('re'), amount, created, status: 'pending' };
    transfer.refunds.push(made);
    if (sends === 'all' || sends === 'refunds') emitRefund('refund.created', transfer, made);
    if (sends !== 'refunds')
      emit('charge.refunded', {
        object: 'charge',
        id: `ch_${transfer.reference}`,
        payment_intent: transfer.reference,
        amount_refunded: units(refundedOf(transfer)),
        metadata: { paymentId: 'pay_1' },
      });
  }

  function endRefund(transfer: Transfer, { pick, isBad, share }: Step): void {
    const open = transfer.refunds.filter(isGone);
    const ended = open[pick % open.length];
    if (!ended) return;
    ended.status = isBad ? (pick % 2 === 0 ? 'failed' : 'canceled') : 'succeeded';
    if (sends === 'all') emitRefund(isBad ? 'refund.failed' : 'refund.updated', transfer, ended);
    if (sends === 'refunds') emitRefund('refund.updated', transfer, ended);
    if (sends === 'charges and updates') emitRefund('charge.refund.updated', transfer, ended);
    // An account of this kind states a failure only with the next refund.
    if (sends === 'charges' && isBad) {
      created += 1;
      refund(transfer, share);
    }
  }

  function dispute(transfer: Transfer, { share, isBad }: Step): void {
    const amount = Math.ceil((leftOf(transfer) * share) / 100);
    if (amount === 0) return;
    const made: Dispute = { id: newId('dp'), amount, status: isBad ? 'needs_response' : 'warning_needs_response' };
    transfer.disputes.push(made);
    emitDispute('charge.dispute.created', transfer, made);
  }

  function endDispute(transfer: Transfer, { pick, isBad }: Step): void {
    const made = transfer.disputes[pick % transfer.disputes.length];
    if (!made) return;
    const isOver = made.status === 'won' || made.status === 'lost';
    if (made.status === 'warning_needs_response') made.status = 'needs_response';
    else made.status = isOver ? 'appeal_under_review' : isBad ? 'lost' : 'won';
    emitDispute(made.status === 'won' ? 'charge.dispute.closed' : 'charge.dispute.updated', transfer, made);
    if (made.status === 'won') emitDispute('charge.dispute.funds_reinstated', transfer, made);
  }

  for (const step of list) {
    created += step.seconds;
    const transfer = transfers[step.pick % transfers.length];
    if (step.act === 'capture' || !transfer) {
      const made: Transfer = { reference: newId('pi'), captured: 0, refunds: [], disputes: [] };
      transfers.push(made);
      // Only the last of several charges of an intent succeeds.
      if (step.isBad) emitIntent('payment_intent.payment_failed', made, step.share);
      made.captured = step.share * 10;
      emitIntent('payment_intent.succeeded', made, made.captured);
    } else if (step.act === 'refund') refund(transfer, step.share);
    else if (step.act === 'end-refund') endRefund(transfer, step);
    else if (step.act === 'dispute') dispute(transfer, step);
    else if (step.act === 'end-dispute') endDispute(transfer, step);
    else emitIntent('payment_intent.payment_failed', { ...transfer, reference: newId('pi'), captured: 0 }, step.share);
  }
  return { truth: truthOf(transfers), bodies };
}

/** A payment at the demo provider, paid once or several times. Half of the refunds and disputes have no name of their own. */
export const demo: fc.Arbitrary<Simulated> = steps.map((list) => {
  const transfers: Transfer[] = [];
  const bodies: string[] = [];
  let [created, ids] = [Date.parse('2026-11-21T09:30:00.000Z'), 0];
  const newId = (prefix: string) => `${prefix}_${(ids += 1)}`;
  const emit = (type: string, amount: number, providerReference: string, names: object = {}) =>
    bodies.push(
      JSON.stringify({
        id: newId('evt'),
        type: `payment.${type}`,
        createdAt: new Date(created).toISOString(),
        data: { paymentId: 'pay_1', amount: { amount, currency: 'EUR' }, providerReference, ...names },
      }),
    );
  for (const { act, pick, share, isBad, seconds } of list) {
    created += seconds;
    const transfer = transfers[pick % transfers.length];
    if (act === 'capture' || !transfer) {
      const made: Transfer = { reference: newId('dpr'), captured: share * 10, refunds: [], disputes: [] };
      transfers.push(made);
      emit('succeeded', made.captured, made.reference);
    } else if (act === 'fail') emit('failed', share, newId('dpr'));
    else if (act === 'refund' || act === 'dispute') {
      const amount = Math.ceil((leftOf(transfer) * share) / 100);
      if (amount === 0) continue;
      const id = newId('dpr');
      if (act === 'refund') transfer.refunds.push({ id, amount, created, status: 'succeeded' });
      else transfer.disputes.push({ id, amount, status: 'lost' });
      emit(
        act === 'refund' ? 'refunded' : 'disputed',
        amount,
        transfer.reference,
        isBad ? { refundReference: id } : {},
      );
    }
  }
  return { truth: truthOf(transfers), bodies };
});

/** Events as they arrive: in any order, some of them repeated, also under another id. */
export function arriving(bodies: readonly string[]): fc.Arbitrary<readonly string[]> {
  return fc
    .subarray([...bodies])
    .map((again) => again.map((body, at) => JSON.stringify({ ...JSON.parse(body), id: `evt_again_${at}` })))
    .chain((again) => fc.shuffledSubarray([...bodies, ...again], { minLength: bodies.length + again.length }));
}
