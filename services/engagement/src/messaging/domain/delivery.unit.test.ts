import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cancelDelivery,
  claimDelivery,
  createDelivery,
  isRetryable,
  markEnding,
  recordAttempt,
  releaseDelivery,
  restartDelivery,
  withdrawDelivery,
  type Attempt,
  type Claim,
  type MessageDelivery,
  type NewDelivery,
} from './delivery.ts';
import { deferralDelay, lossDelay, unreachableDelay } from './retry-delays.ts';

const now = new Date('2026-11-21T09:30:00Z');
const doubtDelays = [120_000, 900_000];
const later = (ms: number) => new Date(now.getTime() + ms);
const newDelivery: NewDelivery = {
  id: 'dlv_1',
  channel: 'EMAIL',
  category: 'security',
  template: 'verification-code',
  userId: 'user_1',
  email: 'ada@example.com',
  mail: { template: 'verification-code', data: { registeredAs: null, registeredAt: '2026-11-21T09:30:00.000Z' } },
  code: { sealed: 'jwe', expiresAt: later(600_000) },
  purpose: 'verification',
  sequence: 1,
  start: { status: 'pending', dueAt: now },
};

function stateOf(decision: { kind: string }): MessageDelivery {
  if (decision.kind !== 'changed') throw new Error(`nothing changed: ${decision.kind}`);
  return (decision as unknown as { state: MessageDelivery }).state;
}
const factsOf = (decision: object) => (decision as { facts: { type: string; data: unknown }[] }).facts;
const attempt = (outcome: Attempt['outcome']): Attempt => ({ at: now, outcome, answer: '250 OK', milliseconds: 3 });
const pending = stateOf(createDelivery(null, newDelivery, now));
const mine: Claim = { holder: 'instance-1', attempt: 'attempt-1' };
const other: Claim = { holder: 'instance-2', attempt: 'attempt-2' };
const claim = (current: MessageDelivery, by: Claim, at = now, endedHolder: string | null = null, marks = false) =>
  claimDelivery(current, { ...by, marks, endedHolder, now: at, doubtDelays });
const taken = stateOf(claim(pending, mine));
const marked = stateOf(markEnding(taken, mine));
const record = (current: MessageDelivery, outcome: Attempt['outcome'], at = now, by = mine) =>
  recordAttempt(current, by, attempt(outcome), { now: at, random: 0.5, doubtDelays });
/** The attempts of one instance, each taken once it is due, until the delivery has ended or `outcomes` have. */
function attempts(outcomes: Iterable<Attempt['outcome']>): MessageDelivery {
  let delivery = pending;
  for (const outcome of outcomes) {
    const at = delivery.dueAt ?? now;
    delivery = stateOf(record(stateOf(claim({ ...delivery, code: null }, mine, at)), outcome, at));
    if (delivery.status !== 'pending') break;
  }
  return delivery;
}

describe('a delivery', () => {
  it('is created once', () => {
    expect(factsOf(createDelivery(null, newDelivery, now)).map(({ type }) => type)).toEqual([
      'engagement.notification-requested',
    ]);
    expect(createDelivery(pending, newDelivery, now)).toMatchObject({ kind: 'unchanged', result: pending });
  });

  it('publishes neither its address, nor its content, nor its code', () => {
    expect(JSON.stringify(factsOf(createDelivery(null, newDelivery, now)))).not.toMatch(/ada@|jwe/);
  });

  it('belongs to the instance that took it, until that one has ended', () => {
    expect(taken).toMatchObject({ holder: 'instance-1', dueAt: null });
    expect(claim(taken, other, later(3_600_000))).toMatchObject({ kind: 'unchanged', result: null });
    expect(claim(taken, other, now, 'instance-3')).toMatchObject({ kind: 'unchanged', result: null });
    expect(claim(taken, other, now, 'instance-1')).toMatchObject({ result: { holder: 'instance-2', dueAt: null } });
  });

  it('is changed by its holder only', () => {
    for (const current of [pending, stateOf(claim(taken, other, now, 'instance-1'))]) {
      expect(markEnding(current, mine)).toMatchObject({ kind: 'unchanged', result: null });
      expect(record(current, 'accepted')).toMatchObject({ kind: 'unchanged', result: current });
      expect(cancelDelivery(current, mine, 'failed', 'x', now)).toMatchObject({ kind: 'unchanged' });
    }
    for (const decision of [markEnding(null, mine), releaseDelivery(null, mine, now)])
      expect(decision).toMatchObject({ kind: 'unchanged' });
  });

  it('that its holder gives back is due again', () => {
    for (const current of [taken, marked])
      expect(stateOf(releaseDelivery(current, mine, later(5)))).toMatchObject({
        status: 'pending',
        holder: null,
        ending: null,
        dueAt: later(5),
      });
  });

  it('that is given back by another is written as it is, so that a claim on its way finds another version', () => {
    for (const current of [pending, stateOf(claim(taken, other, now, 'instance-1'))])
      expect(releaseDelivery(current, mine, later(5))).toEqual({
        kind: 'changed',
        state: current,
        facts: [],
        result: null,
      });
    const ended = stateOf(record(taken, 'accepted'));
    expect(releaseDelivery(ended, mine, now)).toMatchObject({ kind: 'unchanged' });
  });

  it('is not sent before it is due', () => {
    const waiting = stateOf(
      createDelivery(null, { ...newDelivery, start: { status: 'pending', dueAt: later(1) } }, now),
    );
    expect(claim(waiting, mine)).toMatchObject({ kind: 'unchanged' });
  });

  it('expires with its code, which is deleted', () => {
    const decision = claim(pending, mine, later(600_000));
    expect(decision.result).toBeNull();
    expect(stateOf(decision)).toMatchObject({ status: 'expired', code: null, dueAt: null });
    expect(factsOf(decision)).toMatchObject([
      { type: 'engagement.notification-failed', data: { reason: 'code_expired' } },
    ]);
  });

  it('is delivered when the mail server accepts it, and its content is deleted', () => {
    const decision = record(taken, 'accepted', later(5));
    expect(stateOf(decision)).toMatchObject({
      status: 'delivered',
      mail: null,
      code: null,
      attemptCount: 1,
      deliveredAt: later(5),
    });
    expect(factsOf(decision)).toMatchObject([{ type: 'engagement.notification-delivered', data: { attempts: 1 } }]);
  });

  it('fails when it is refused, and may then be tried again', () => {
    const failed = stateOf(record(taken, 'refused'));
    expect(failed).toMatchObject({ status: 'failed', reason: 'refused', dueAt: null, mail: newDelivery.mail });
    expect(isRetryable(failed)).toBe(true);
    expect(stateOf(restartDelivery(failed, later(9)))).toMatchObject({
      status: 'pending',
      dueAt: later(9),
      keptUntil: null,
    });
  });

  it.each(['deferred', 'interrupted'] as const)('waits longer each time it is %s, and fails after a day', (outcome) => {
    const delivery = attempts(Array.from({ length: 50 }, () => outcome));
    expect(delivery).toMatchObject({ status: 'failed', reason: 'deferred_too_long', attemptCount: 12 });
    expect(delivery.updatedAt.getTime() - now.getTime()).toBeGreaterThan(20 * 3_600_000);
  });

  it('waits for a mail server that is away, however long, and keeps the last attempts only', () => {
    const delivery = attempts(Array.from({ length: 1000 }, () => 'unreachable' as const));
    expect(delivery).toMatchObject({ status: 'pending', attemptCount: 1000, holder: null });
    expect((delivery.dueAt?.getTime() ?? 0) - delivery.updatedAt.getTime()).toBe(5000);
    expect(delivery.attempts).toHaveLength(20);
  });

  it('stays delivered when another outcome is recorded', () => {
    const delivered = stateOf(record(taken, 'accepted'));
    for (const by of [mine, other])
      expect(record(delivered, 'unreachable', now, by)).toMatchObject({ kind: 'unchanged', result: delivered });
    expect(cancelDelivery(delivered, mine, 'superseded', 'newer_code_sent', now)).toMatchObject({ kind: 'unchanged' });
  });

  it('is only recorded where it is not to be sent', () => {
    const decision = createDelivery(
      null,
      { ...newDelivery, start: { status: 'recorded', reason: 'switched_off_by_user' } },
      now,
    );
    expect(stateOf(decision)).toMatchObject({ status: 'recorded', reason: 'switched_off_by_user', dueAt: null });
    expect(factsOf(decision)).toMatchObject([{ data: { recorded: true } }]);
    expect(isRetryable(stateOf(decision))).toBe(false);
  });
});

describe('a delivery in doubt', () => {
  it('is tried three times ever, with growing waits, then a person decides', () => {
    const once = attempts(['in_doubt']);
    expect(once).toMatchObject({ status: 'pending', inDoubt: 1, holder: null, dueAt: later(120_000) });
    const twice = attempts(['in_doubt', 'in_doubt']);
    expect(twice).toMatchObject({ status: 'pending', inDoubt: 2, dueAt: later(120_000 + 900_000) });
    const failed = attempts(['in_doubt', 'deferred', 'in_doubt', 'unreachable', 'in_doubt']);
    expect(failed).toMatchObject({ status: 'failed', reason: 'in_doubt', inDoubt: 3, attemptCount: 5, dueAt: null });
    expect(isRetryable(failed)).toBe(true);
    const again = stateOf(claim(stateOf(restartDelivery({ ...failed, code: null }, now)), mine));
    expect(stateOf(record(again, 'in_doubt'))).toMatchObject({ status: 'failed', reason: 'in_doubt' });
    expect(stateOf(record(again, 'accepted'))).toMatchObject({ status: 'delivered' });
  });

  it('may be marked when it is taken', () => {
    expect(stateOf(claim(pending, mine, now, null, true))).toEqual(marked);
  });

  it('is one whose holder has ended after it marked the mail; it is not sent at once', () => {
    const decision = claim(marked, other, later(15_000), 'instance-1');
    expect(decision.result).toBeNull();
    expect(stateOf(decision)).toMatchObject({
      status: 'pending',
      holder: null,
      inDoubt: 1,
      attemptCount: 1,
      dueAt: later(15_000 + 120_000),
      attempts: [{ outcome: 'in_doubt' }],
    });
  });

  it('fails where its holder has ended the third time', () => {
    const third = stateOf(
      markEnding(stateOf(claim({ ...attempts(['in_doubt', 'in_doubt']), dueAt: now }, mine)), mine),
    );
    const decision = claim(third, other, now, 'instance-1');
    expect(decision.result).toBeNull();
    expect(stateOf(decision)).toMatchObject({ status: 'failed', reason: 'in_doubt' });
    expect(factsOf(decision)).toMatchObject([
      { type: 'engagement.notification-failed', data: { reason: 'in_doubt', attempts: 3 } },
    ]);
    expect(stateOf(record(stateOf(decision), 'accepted'))).toMatchObject({ status: 'delivered', reason: null });
  });

  it('gets the answer of the sender that was only halted, until another attempt has begun', () => {
    const inDoubt = stateOf(claim(marked, other, now, 'instance-1'));
    expect(stateOf(record(inDoubt, 'accepted'))).toMatchObject({ status: 'delivered', code: null });
    expect(stateOf(record(inDoubt, 'refused'))).toMatchObject({ status: 'failed', reason: 'refused' });
    expect(stateOf(record(inDoubt, 'deferred'))).toMatchObject({ status: 'pending', inDoubt: 0, deferrals: 1 });
    expect(stateOf(releaseDelivery(inDoubt, mine, later(5)))).toMatchObject({ inDoubt: 0, dueAt: later(5) });
    expect(record(inDoubt, 'in_doubt')).toMatchObject({ kind: 'unchanged' });
    expect(record(inDoubt, 'accepted', now, { ...mine, attempt: 'attempt-0' })).toMatchObject({ kind: 'unchanged' });

    const begun = stateOf(claim(inDoubt, other, later(120_000)));
    expect(record(begun, 'accepted')).toMatchObject({ kind: 'unchanged', result: begun });
    expect(releaseDelivery(begun, mine, now)).toMatchObject({ kind: 'changed', state: begun });
  });
});

describe('delays between attempts', () => {
  it('are spread by a tenth, grow with each deferral, and end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.double({ min: 0, max: 1, noNaN: true }), (times, random) => {
        const delay = deferralDelay(times, random) ?? 0;
        const middle = deferralDelay(times, 0.5) ?? 0;
        expect(Math.abs(delay - middle)).toBeLessThanOrEqual(middle * 0.1 + 1);
        expect(deferralDelay(times + 1, random) ?? Infinity).toBeGreaterThan(delay);
      }),
    );
    expect(deferralDelay(12, 0.5)).toBeNull();
  });

  it('are 5 s at most while the mail server is away', () => {
    expect([1, 2, 3, 4, 50].map(unreachableDelay)).toEqual([1000, 2000, 4000, 5000, 5000]);
  });

  it('are none after conversations that broke off, until so many did that it must be the server', () => {
    expect([1, 19].map(lossDelay)).toEqual([null, null]);
    expect([20, 21, 22, 30, 1000].map(lossDelay)).toEqual([1000, 2000, 4000, 60_000, 60_000]);
  });
});

describe('the mail of an announcement', () => {
  const { code: _code, purpose: _purpose, sequence: _sequence, ...plain } = newDelivery;
  const announced = stateOf(
    createDelivery(null, { ...plain, category: 'offers', template: 'announcement', announcementId: 'anc_1' }, now),
  );

  it('stays in its lane, and is due as any other', () => {
    const held = stateOf(claim(announced, mine));
    const failed = stateOf(record(held, 'refused'));
    const stages = [
      announced,
      held,
      stateOf(record(held, 'deferred')),
      stateOf(record(stateOf(markEnding(held, mine)), 'in_doubt')),
      stateOf(releaseDelivery(held, mine, now)),
      failed,
      stateOf(restartDelivery(failed, now)),
      stateOf(record(held, 'accepted')),
    ];
    expect(stages.map(({ lane }) => lane)).toEqual(stages.map(() => 'announcement'));
    expect(stages.map(({ dueAt }) => dueAt)).toEqual([now, null, later(1000), later(120_000), now, null, now, null]);
    expect(pending.lane).toBe('transactional');
  });

  it('is withdrawn while nobody is busy with it, and can not be retried then', () => {
    const withdrawn = withdrawDelivery(announced, 'announcement_stopped', now);
    expect(withdrawn).toMatchObject({ kind: 'changed', result: true });
    expect(stateOf(withdrawn)).toMatchObject({
      status: 'suppressed',
      reason: 'announcement_stopped',
      dueAt: null,
    });
    expect(factsOf(withdrawn)).toMatchObject([{ type: 'engagement.notification-failed' }]);
    expect(isRetryable(stateOf(withdrawn))).toBe(false);
    expect(isRetryable({ ...stateOf(withdrawn), reason: 'address_bounced' })).toBe(true);
  });

  it('is not withdrawn while it is being sent, in doubt, or over', () => {
    const held = stateOf(claim(announced, mine));
    const inDoubt = stateOf(record(stateOf(markEnding(held, mine)), 'in_doubt'));
    for (const current of [null, held, inDoubt, stateOf(record(held, 'accepted'))])
      expect(withdrawDelivery(current, 'announcement_stopped', now)).toMatchObject({
        kind: 'unchanged',
        result: false,
      });
  });
});
