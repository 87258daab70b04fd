import { describe, expect, it } from 'vitest';
import { reportOf, reportOfAll, systemStatus, unreachable } from './report.ts';

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

describe('what is seen of several instances', () => {
  const ready = reportOf({ status: 'ready', checks: { database: { ok: true } } });
  const notReady = reportOf({ status: 'not-ready', checks: { database: { ok: false, reason: 'connect ETIMEDOUT' } } });
  const away = unreachable('no answer within 1500 ms');

  it('is ready while all are, and degraded without a reason to record while one is', () => {
    expect(reportOfAll([ready, ready])).toEqual({
      reason: null,
      readiness: { status: 'ready', database: { ok: true }, instances: ['ready', 'ready'] },
    });
    expect(reportOfAll([ready, away])).toEqual({
      reason: null,
      readiness: { status: 'degraded', database: { ok: true }, instances: ['ready', 'unreachable'] },
    });
    expect(reportOfAll([away, notReady, ready])).toEqual({
      reason: null,
      readiness: { status: 'degraded', database: { ok: false }, instances: ['unreachable', 'not-ready', 'ready'] },
    });
  });

  it('is not ready, for all their reasons, once none is', () => {
    expect(reportOfAll([away, notReady, away])).toEqual({
      reason: 'unreachable: no answer within 1500 ms; not-ready: database (connect ETIMEDOUT)',
      readiness: {
        status: 'not-ready',
        database: { ok: false },
        instances: ['unreachable', 'not-ready', 'unreachable'],
      },
    });
    expect(reportOfAll([away, away]).readiness).toEqual({
      status: 'unreachable',
      instances: ['unreachable', 'unreachable'],
    });
  });

  it('is reported like one where there is only one', () => {
    expect(reportOfAll([ready])).toBe(ready);
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
