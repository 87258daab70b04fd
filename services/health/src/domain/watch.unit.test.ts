import { expect, it } from 'vitest';
import { judge, nothingSeen } from './watch.ts';

const at = (seconds: number) => new Date(seconds * 1000);

const wasReady = judge(nothingSeen, null, at(5)).memory;

it('takes the second failure in a row for an incident that began with the first', () => {
  const first = judge(wasReady, 'unreachable', at(10));
  expect(first.verdict).toEqual({ kind: 'wait' });
  const second = judge(first.memory, 'not-ready: broker', at(15));
  expect(second.verdict).toEqual({ kind: 'down', since: at(10), reason: 'not-ready: broker' });
});

it('forgets failures as soon as the service is ready', () => {
  const failed = judge(wasReady, 'unreachable', at(10));
  const ready = judge(failed.memory, null, at(15));
  expect(ready).toEqual({ memory: wasReady, verdict: { kind: 'up' } });
  expect(judge(ready.memory, 'unreachable', at(20)).verdict).toEqual({ kind: 'wait' });
});

it('gives a service that was never ready a minute to start', () => {
  let { memory, verdict } = judge(nothingSeen, 'unreachable', at(10));
  for (const seconds of [15, 40, 69]) {
    ({ memory, verdict } = judge(memory, 'unreachable', at(seconds)));
    expect(verdict).toEqual({ kind: 'wait' });
  }
  expect(judge(memory, 'unreachable', at(70)).verdict).toEqual({ kind: 'down', since: at(10), reason: 'unreachable' });
  const started = judge(memory, null, at(69)).memory;
  expect(judge(judge(started, 'unreachable', at(70)).memory, 'unreachable', at(75)).verdict.kind).toBe('down');
});
