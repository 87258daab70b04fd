import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deferralDelay, unreachableDelay } from './backoff.ts';
import { claim, giveUp, isRetryable, leaseMs, recordAttempt, renew, request, retry } from './delivery.ts';
import type { Attempt, Delivery, Draft } from './delivery.ts';

const now = new Date('2026-11-21T09:30:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const draft: Draft = {
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

function stateOf(decision: { kind: string }): Delivery {
  if (decision.kind !== 'changed') throw new Error(`nothing changed: ${decision.kind}`);
  return (decision as unknown as { state: Delivery }).state;
}
const factsOf = (decision: object) => (decision as { facts: { type: string; data: unknown }[] }).facts;
const attempt = (outcome: Attempt['outcome']): Attempt => ({ at: now, outcome, answer: 'said so', milliseconds: 3 });
const pending = stateOf(request(null, draft, now));

describe('a delivery', () => {
  it('is requested once', () => {
    expect(factsOf(request(null, draft, now)).map(({ type }) => type)).toEqual(['engagement.notification-requested']);
    expect(request(pending, draft, now)).toMatchObject({ kind: 'unchanged', result: pending });
  });

  it('tells nobody its address, its words or its code', () => {
    expect(JSON.stringify(factsOf(request(null, draft, now)))).not.toMatch(/ada@|jwe/);
  });

  it('belongs to who claimed it for the length of a lease', () => {
    const claimed = stateOf(claim(pending, now));
    expect(claim(claimed, later(leaseMs - 1))).toMatchObject({ kind: 'unchanged', result: null });
    expect(claim(claimed, later(leaseMs))).toMatchObject({ kind: 'changed' });
    const renewed = stateOf(renew(claimed, later(leaseMs - 1)));
    expect(claim(renewed, later(leaseMs))).toMatchObject({ kind: 'unchanged', result: null });
  });

  it('is not held on to when it has ended', () => {
    const ended = stateOf(giveUp(pending, 'failed', 'refused', now));
    expect(renew(ended, now)).toMatchObject({ kind: 'unchanged' });
    expect(renew(null, now)).toMatchObject({ kind: 'unchanged' });
  });

  it('is not sent before it is due', () => {
    const waiting = stateOf(request(null, { ...draft, start: { status: 'pending', dueAt: later(1) } }, now));
    expect(claim(waiting, now)).toMatchObject({ kind: 'unchanged' });
  });

  it('expires with its code, and forgets it', () => {
    const decision = claim(pending, later(600_000));
    expect(decision.result).toBeNull();
    expect(stateOf(decision)).toMatchObject({ status: 'expired', code: null, dueAt: null });
    expect(factsOf(decision)).toMatchObject([
      { type: 'engagement.notification-failed', data: { reason: 'code_expired' } },
    ]);
  });

  it('is done when the mail server took it, and forgets its code', () => {
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
    expect(stateOf(retry(failed, later(9)))).toMatchObject({ status: 'pending', dueAt: later(9), keptUntil: null });
  });

  it('waits longer each time it is put off, and fails after about a day', () => {
    let delivery = pending;
    let time = 0;
    while (delivery.status === 'pending') {
      delivery = stateOf(recordAttempt(delivery, attempt('deferred'), later(time), 0.5));
      time = (delivery.dueAt?.getTime() ?? 0) - now.getTime();
    }
    expect(delivery).toMatchObject({ status: 'failed', reason: 'deferred_too_long', attemptCount: 12 });
    expect(delivery.updatedAt.getTime() - now.getTime()).toBeGreaterThan(20 * 3_600_000);
  });

  it('waits for a mail server that is away as long as it takes, and keeps the last attempts only', () => {
    let delivery = pending;
    for (let times = 0; times < 1000; times += 1)
      delivery = stateOf(recordAttempt(delivery, attempt('unreachable'), now, 0.5));
    expect(delivery).toMatchObject({ status: 'pending', attemptCount: 1000, dueAt: later(5000) });
    expect(delivery.attempts).toHaveLength(20);
  });

  it('stays delivered when a second sender says otherwise', () => {
    const delivered = stateOf(recordAttempt(pending, attempt('accepted'), now, 0.5));
    const decision = recordAttempt(delivered, attempt('unreachable'), now, 0.5);
    expect(stateOf(decision).status).toBe('delivered');
    expect(factsOf(decision)).toEqual([]);
    expect(giveUp(delivered, 'superseded', 'newer_code_sent', now)).toMatchObject({ kind: 'unchanged' });
  });

  it('is only recorded where it is not to be sent', () => {
    const decision = request(null, { ...draft, start: { status: 'recorded', reason: 'html_missing' } }, now);
    expect(stateOf(decision)).toMatchObject({ status: 'recorded', reason: 'html_missing', dueAt: null });
    expect(factsOf(decision)).toMatchObject([{ data: { recorded: true } }]);
    expect(isRetryable(stateOf(decision))).toBe(false);
  });
});

describe('back-off', () => {
  it('spreads a deferral by a tenth, grows, and ends', () => {
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

  it('asks a mail server that is away at least every 5 s', () => {
    expect([1, 2, 3, 4, 50].map(unreachableDelay)).toEqual([1000, 2000, 4000, 5000, 5000]);
  });
});
