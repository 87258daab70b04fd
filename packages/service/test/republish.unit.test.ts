import { catalogEvents, fact, toEvent, type Event } from '@storefront/contracts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { republish } from '../src/index.ts';

const all = Array.from({ length: 25 }, (_, index) => {
  const id = `prod_${String(index).padStart(2, '0')}`;
  return toEvent(fact(catalogEvents.productDeleted, id, { id, sku: id, name: id }), { sequence: 1, time: new Date(0) });
});
const subjects = (events: readonly Event[]) => events.map(({ subject }) => subject);

/** Publishes all of them at that rate, to a broker that confirms those for which `confirms` is true. */
async function republishAll(
  rate: number,
  more: { after?: string; confirms?: (event: Event, attempt: number) => boolean; stop?: AbortController } = {},
) {
  const [batches, progress]: [string[][], [number, string][]] = [[], []];
  const { stop = new AbortController() } = more;
  const begun = performance.now();
  await republish({
    bus: {
      async publish(events) {
        batches.push(subjects(events));
        const { confirms = () => true } = more;
        return events.map(
          (event) => ({ id: event.id, confirmed: confirms(event, batches.length), reason: 'full' }) as never,
        );
      },
    },
    read: async (after = '', limit) => all.filter(({ subject }) => subject > after).slice(0, limit),
    rate,
    after: more.after,
    onProgress: ({ published, upTo }) => {
      progress.push([published, upTo]);
      if (upTo === 'prod_19' && rate === 101) stop.abort();
    },
    signal: stop.signal,
  });
  return { batches, progress, seconds: (performance.now() - begun) / 1000 };
}

describe('republishing', () => {
  it('publishes everything once, in order, no faster than its rate', async () => {
    const { batches, progress, seconds } = await republishAll(50);
    expect(batches.flat()).toEqual(subjects(all));
    expect(batches.every((batch) => batch.length <= 5)).toBe(true);
    expect(progress.at(-1)).toEqual([25, 'prod_24']);
    // A machine that is busy makes it slower, never faster.
    expect(seconds).toBeGreaterThan(0.45);
  });

  it('publishes again what the broker has not confirmed, and goes on only then', async () => {
    const { batches, progress } = await republishAll(100, {
      confirms: ({ subject }, attempt) => subject !== 'prod_03' || attempt > 1,
    });
    expect(batches[1]).toEqual(['prod_03']);
    expect(progress[0]).toEqual([10, 'prod_09']);
    expect(new Set(batches.flat())).toEqual(new Set(subjects(all)));
  });

  it('gives up when the broker has not confirmed an event for half a minute, however long each answer takes', async () => {
    let passed = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
    onTestFinished(() => void vi.restoreAllMocks());
    let attempts = 0;
    const confirms = (_event: Event, attempt: number) => {
      if (attempt > attempts) passed += 16_000;
      attempts = attempt;
      return false;
    };
    await expect(republishAll(100, { confirms })).rejects.toThrow('The broker has not confirmed the events: full');
    expect(attempts).toBe(2);
  });

  it('stops while the broker confirms nothing', async () => {
    const stop = new AbortController();
    let attempts = 0;
    const { progress } = await republishAll(100, {
      stop,
      confirms(_event, attempt) {
        attempts = attempt;
        setImmediate(() => stop.abort());
        return false;
      },
    });
    expect([attempts, progress]).toEqual([1, []]);
  });

  it('goes on after an id, and stops after the batch under way', async () => {
    const { batches, progress } = await republishAll(101, { after: 'prod_09' });
    expect(batches.flat()).toEqual(subjects(all.slice(10, 20)));
    expect(progress).toEqual([[10, 'prod_19']]);
  });
});
