import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { reportOf } from '../domain/report.ts';
import type { History } from '../store/history.ts';
import { watchServices } from './watch-services.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('looks at each service once in the interval, and at no two at the same moment', async () => {
  const looks: [service: string, at: number][] = [];
  const begun = Date.now();
  const probeOf = (service: string) => () => {
    looks.push([service, Date.now() - begun]);
    return Promise.resolve(reportOf({ status: 'ready', checks: {} }));
  };
  const watch = watchServices({
    probes: { identity: probeOf('identity'), account: probeOf('account'), catalog: probeOf('catalog') },
    history: { looked: () => Promise.resolve() } as unknown as History,
    intervalMs: 3000,
    now: () => new Date(),
    logger: { warn: vi.fn<() => void>() },
  });
  await vi.advanceTimersByTimeAsync(6500);
  expect(looks).toEqual([
    ['identity', 1000],
    ['account', 2000],
    ['catalog', 3000],
    ['identity', 4000],
    ['account', 5000],
    ['catalog', 6000],
  ]);
  await watch.stop();
});
