import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repeatEvery } from '../src/repeat-every.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const failure = 'the work failed';

it('works one turn at a time, and leaves out those that come meanwhile', async () => {
  const turns: (() => void)[] = [];
  const work = () => new Promise<void>((done) => turns.push(done));
  const repeated = repeatEvery(1000, work, { logger: { warn: vi.fn<() => void>() }, failure });
  await vi.advanceTimersByTimeAsync(3500);
  expect(turns).toHaveLength(1);
  turns[0]?.();
  await vi.advanceTimersByTimeAsync(1000);
  expect(turns).toHaveLength(2);

  let isStopped = false;
  const stopping = repeated.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(5000);
  expect([turns.length, isStopped]).toEqual([2, false]);
  turns[1]?.();
  await stopping;
});

it('logs a failure, and tries again at the next turn', async () => {
  const warn = vi.fn<() => void>();
  const work = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('away')));
  const repeated = repeatEvery(1000, work, { logger: { warn }, failure });
  await vi.advanceTimersByTimeAsync(2000);
  expect(work).toHaveBeenCalledTimes(2);
  expect(warn).toHaveBeenCalledWith({ err: new Error('away') }, failure);
  await repeated.stop();
});

it('takes its first turn after the time that is set', async () => {
  const work = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const repeated = repeatEvery(1000, work, { logger: { warn: vi.fn<() => void>() }, failure, firstAfterMs: 250 });
  await vi.advanceTimersByTimeAsync(249);
  expect(work).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2001);
  expect(work).toHaveBeenCalledTimes(3);
  await repeated.stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(3);
});

it('takes no turn where it is stopped before the first', async () => {
  const work = vi.fn<() => Promise<void>>(() => Promise.resolve());
  await repeatEvery(1000, work, { logger: { warn: vi.fn<() => void>() }, failure, firstAfterMs: 250 }).stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(work).not.toHaveBeenCalled();
});

it('takes a turn at once where it is asked to, until it is stopped', async () => {
  const work = vi.fn<() => Promise<void>>(async () => undefined);
  const repeated = repeatEvery(1000, work, { logger: { warn: vi.fn<() => void>() }, failure });
  repeated.now();
  repeated.now();
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledTimes(2);
  await repeated.stop();
  repeated.now();
  expect(work).toHaveBeenCalledTimes(2);
});

it('rests for some turns after a run that found nothing to do', async () => {
  const runs: number[] = [];
  const begun = Date.now();
  const found: ('idle' | undefined)[] = ['idle', undefined, 'idle', 'idle'];
  const work = async () => {
    runs.push(Date.now() - begun);
    return found[runs.length - 1];
  };
  const options = { logger: { warn: vi.fn<() => void>() }, failure, idleTurns: 3 };
  const repeated = repeatEvery(1000, work, options);
  await vi.advanceTimersByTimeAsync(6000);
  expect(runs).toEqual([1000, 4000, 5000]);
  repeated.now();
  await vi.advanceTimersByTimeAsync(3500);
  expect(runs).toEqual([1000, 4000, 5000, 6000, 9000]);
  await repeated.stop();
});
