import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cancelDelivery,
  claimDelivery,
  createDelivery,
  isRetryable,
  leaseMs,
  recordAttempt,
  renewLease,
  restartDelivery,
} from './delivery.ts';
import type { Attempt, MessageDelivery, NewDelivery } from './delivery.ts';
import { deferralDelay, unreachableDelay } from './retry-delays.ts';

const now = new Date('2026-11-21T09:30:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const newDelivery: NewDelivery = {
  id: 'dlv_1',
  channel: 'EMAIL',
  category: 'security',
  template: 'verification-code',
  userId: 'user_1',
  email: 'ada@example.com',
  mail: { template: 'verification-code', data: {} },
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

  it('belongs to the sender that claimed it until the lease ends', () => {
    const claimed = stateOf(claimDelivery(pending, now));
    expect(claimDelivery(claimed, later(leaseMs - 1))).toMatchObject({ kind: 'unchanged', result: null });
    expect(claimDelivery(claimed, later(leaseMs))).toMatchObject({ kind: 'changed' });
    const renewed = stateOf(renewLease(claimed, later(leaseMs - 1)));
    expect(claimDelivery(renewed, later(leaseMs))).toMatchObject({ kind: 'unchanged', result: null });
  });

  it('has no lease to renew once it has ended', () => {
    const ended = stateOf(cancelDelivery(pending, 'failed', 'refused', now));
    expect(renewLease(ended, now)).toMatchObject({ kind: 'unchanged' });
    expect(renewLease(null, now)).toMatchObject({ kind: 'unchanged' });
  });

  it('is not sent before it is due', () => {
    const waiting = stateOf(
      createDelivery(null, { ...newDelivery, start: { status: 'pending', dueAt: later(1) } }, now),
    );
    expect(claimDelivery(waiting, now)).toMatchObject({ kind: 'unchanged' });
  });

  it('expires with its code, which is deleted', () => {
    const decision = claimDelivery(pending, later(600_000));
    expect(decision.result).toBeNull();
    expect(stateOf(decision)).toMatchObject({ status: 'expired', code: null, dueAt: null });
    expect(factsOf(decision)).toMatchObject([
      { type: 'engagement.notification-failed', data: { reason: 'code_expired' } },
    ]);
  });

  it('is delivered when the mail server accepts it, and its code is deleted', () => {
    const decision = recordAttempt(pending, attempt('accepted'), later(5), 0.5);
    expect(stateOf(decision)).toMatchObject({
      status: 'delivered',
      code: null,
      attemptCount: 1,
      deliveredAt: later(5),
    });
    expect(factsOf(decision)).toMatchObject([{ type: 'engagement.notification-delivered', data: { attempts: 1 } }]);
  });

  it('fails when it is refused, and may then be tried again', () => {
    const failed = stateOf(recordAttempt(pending, attempt('refused'), now, 0.5));
    expect(failed).toMatchObject({ status: 'failed', reason: 'refused', dueAt: null });
    expect(isRetryable(failed)).toBe(true);
    expect(stateOf(restartDelivery(failed, later(9)))).toMatchObject({
      status: 'pending',
      dueAt: later(9),
      keptUntil: null,
    });
  });

  it('waits longer each time it is deferred, and fails after about a day', () => {
    let delivery = pending;
    let time = 0;
    while (delivery.status === 'pending') {
      delivery = stateOf(recordAttempt(delivery, attempt('deferred'), later(time), 0.5));
      time = (delivery.dueAt?.getTime() ?? 0) - now.getTime();
    }
    expect(delivery).toMatchObject({ status: 'failed', reason: 'deferred_too_long', attemptCount: 12 });
    expect(delivery.updatedAt.getTime() - now.getTime()).toBeGreaterThan(20 * 3_600_000);
  });

  it('waits for a mail server that is away, however long, and keeps the last attempts only', () => {
    let delivery = pending;
    for (let times = 0; times < 1000; times += 1)
      delivery = stateOf(recordAttempt(delivery, attempt('unreachable'), now, 0.5));
    expect(delivery).toMatchObject({ status: 'pending', attemptCount: 1000, dueAt: later(5000) });
    expect(delivery.attempts).toHaveLength(20);
  });

  it('stays delivered when a second sender records another outcome', () => {
    const delivered = stateOf(recordAttempt(pending, attempt('accepted'), now, 0.5));
    const decision = recordAttempt(delivered, attempt('unreachable'), now, 0.5);
    expect(stateOf(decision).status).toBe('delivered');
    expect(factsOf(decision)).toEqual([]);
    expect(cancelDelivery(delivered, 'superseded', 'newer_code_sent', now)).toMatchObject({ kind: 'unchanged' });
  });

  it('is only recorded where it is not to be sent', () => {
    const decision = createDelivery(
      null,
      { ...newDelivery, start: { status: 'recorded', reason: 'html_missing' } },
      now,
    );
    expect(stateOf(decision)).toMatchObject({ status: 'recorded', reason: 'html_missing', dueAt: null });
    expect(factsOf(decision)).toMatchObject([{ data: { recorded: true } }]);
    expect(isRetryable(stateOf(decision))).toBe(false);
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
});
