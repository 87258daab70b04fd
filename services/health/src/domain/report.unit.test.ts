import { describe, expect, it } from 'vitest';
import { reportOf, systemStatus, unreachable } from './report.ts';

describe('what is read of a service', () => {
  it('holds database, broker, outbox and the lag over all queues', () => {
    const report = reportOf({
      status: 'ready',
      checks: {
        database: { ok: true, milliseconds: 2 },
        broker: { ok: true, kind: 'rabbitmq' },
        outbox: { ok: true, depth: 3, oldestAgeSeconds: 0.4 },
        consumers: {
          ok: true,
          queues: [
            { queue: 'a', ready: 2, delayed: 1 },
            { queue: 'b', ready: 4, delayed: 0 },
          ],
        },
        revocations: { ok: true, behindMs: 40 },
      },
    });
    expect(report).toEqual({
      reason: null,
      readiness: {
        status: 'ready',
        database: { ok: true, milliseconds: 2 },
        broker: { ok: true, kind: 'rabbitmq' },
        outbox: { ok: true, depth: 3, oldestAgeSeconds: 0.4 },
        consumers: { ok: true, lag: 7 },
        other: { revocations: { ok: true } },
      },
    });
  });

  it('says why it is not ready apart from what anybody may read', () => {
    const { readiness, reason } = reportOf({
      status: 'not-ready',
      checks: { database: { ok: false }, broker: { ok: false, reason: 'connect ECONNREFUSED 10.0.0.7:5672' } },
    });
    expect(reason).toBe('not-ready: database, broker (connect ECONNREFUSED 10.0.0.7:5672)');
    expect(JSON.stringify(readiness)).not.toContain('10.0.0.7');
  });

  it.each([{}, { status: 7 }, { status: 'fine' }, { checks: { database: undefined } }])(
    'takes %j for a service that is not ready',
    (answer) => {
      expect(reportOf(answer).readiness.status).toBe('not-ready');
    },
  );

  it('shows the trouble of a service that answers requests all the same, and has no reason to record', () => {
    const checks = { database: { ok: true }, broker: { ok: false, reason: 'away' } };
    expect(reportOf({ status: 'degraded', checks })).toEqual({
      reason: null,
      readiness: { status: 'degraded', database: { ok: true }, broker: { ok: false } },
    });
  });

  it('knows a service that can not be reached', () => {
    expect(unreachable('no answer within 1500 ms')).toEqual({
      readiness: { status: 'unreachable' },
      reason: 'unreachable: no answer within 1500 ms',
    });
  });
});

describe('the status of the system', () => {
  it.each([
    [['ready', 'ready'], 'ready'],
    [['ready', 'degraded'], 'degraded'],
    [['degraded', 'not-ready'], 'not-ready'],
    [['ready', 'draining'], 'not-ready'],
    [['degraded', 'unreachable'], 'not-ready'],
  ] as const)('of services that are %j is %s', (statuses, status) => {
    expect(systemStatus(statuses)).toBe(status);
  });
});
