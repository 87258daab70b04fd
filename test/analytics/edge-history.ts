import type { History } from '../../stack/src/history/history.ts';
import { makeHistory } from '../../stack/src/history/make-history.ts';
import type { Random } from '../../stack/src/history/random.ts';
import { clockOf } from './expected/calendar.ts';

/** The zones whose days a history has events at the edges of. */
export const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata'] as const;
export const currencies = ['EUR', 'USD'] as const;

const hourMs = 60 * 60_000;

/** A made-up history most of which happens close to where a day, a month or a year begins in one of the zones, or clocks are changed. */
export function edgeHistory(options: Omit<Parameters<typeof makeHistory>[0], 'rhythm' | 'parts'>): History {
  const [history] = makeHistory({ ...options, parts: 1, visitsPerStory: 7, rhythm: { shareOf: () => 1, momentsOf } });
  if (!history) throw new RangeError('a history needs a day');
  return history;
}

function momentsOf(random: Random, begin: number, end: number): () => number {
  const edges = edgesOf(begin, end);
  const exact = [-1, 0, 1, -hourMs, hourMs - 1, hourMs];
  return () => {
    if (random.next() < 0.4) return random.between(begin, end - 1);
    const edge = random.pick(edges);
    const moment = edge + (random.next() < 0.3 ? random.pick(exact) : random.between(-2 * hourMs, 2 * hourMs));
    return Math.min(Math.max(moment, begin), end - 1);
  };
}

/** Where a new date begins in one of the zones with a month or a year, or the clocks are put on or back. */
function edgesOf(begin: number, end: number): number[] {
  const found = zones.flatMap((zone) => {
    const clock = clockOf(zone);
    const edges: number[] = [];
    let before = clock(begin - (begin % (hourMs / 2)));
    for (let moment = begin - (begin % (hourMs / 2)); moment < end; moment += hourMs / 2) {
      const now = clock(moment);
      const [isYear, isMonth] = [4, 7].map((length) => now.date.slice(0, length) !== before.date.slice(0, length));
      // Each change of the clocks and of the year several times, as there are few.
      if (now.offset !== before.offset || isYear) edges.push(moment, moment, moment, moment);
      else if (isMonth) edges.push(moment);
      before = now;
    }
    return edges;
  });
  return found.length > 0 ? found : [begin];
}
