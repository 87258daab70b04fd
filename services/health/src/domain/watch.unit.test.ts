import { expect, it } from 'vitest';
import { judge, nothingSeen } from './watch.ts';

const at = (seconds: number) => new Date(seconds * 1000);

it('takes the second failure in a row for an incident that began with the first', () => {
  const first = judge(nothingSeen, 'unreachable', at(10));
  expect(first.verdict).toEqual({ kind: 'wait' });
  const second = judge(first.memory, 'not-ready: broker', at(15));
  expect(second.verdict).toEqual({ kind: 'down', since: at(10), reason: 'not-ready: broker' });
});

it('forgets failures as soon as the service is ready', () => {
  const failed = judge(nothingSeen, 'unreachable', at(10));
  const ready = judge(failed.memory, null, at(15));
  expect(ready).toEqual({ memory: nothingSeen, verdict: { kind: 'up' } });
  expect(judge(ready.memory, 'unreachable', at(20)).verdict).toEqual({ kind: 'wait' });
});
