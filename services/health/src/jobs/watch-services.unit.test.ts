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

it('looks at a service that is not ready three times as often, until it is ready again', async () => {
  const looks: number[] = [];
  const begun = Date.now();
  const history = {
    looked: () => Promise.resolve(),
    open: () => Promise.resolve(true),
    close: () => Promise.resolve(true),
  };
  const watch = watchServices({
    probes: {
      identity() {
        const at = Date.now() - begun;
        looks.push(at);
        return Promise.resolve(reportOf({ status: at > 5500 && at < 7500 ? 'not-ready' : 'ready', checks: {} }));
      },
    },
    history: history as unknown as History,
    intervalMs: 3000,
    now: () => new Date(),
    logger: { warn: vi.fn<() => void>() },
  });
  await vi.advanceTimersByTimeAsync(14_500);
  expect(looks).toEqual([3000, 6000, 7000, 8000, 9000, 12_000]);
  await watch.stop();
});
