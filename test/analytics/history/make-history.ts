import type { Event } from '@storefront/contracts';
import { randomOf } from '../../faults/random.ts';
import type { History, Visit } from './history.ts';
import { stories } from './stories.ts';
import { visitsOf } from './visits.ts';
import { worldOf } from './world.ts';

export interface HistoryOptions {
  readonly seed: number;
  /** About so many events of services and of clients together. */
  readonly size: number;
  /** Nothing is later, but what clients without a token tell: that happens within a day from then on. */
  readonly end: Date;
  /** How long the history is. What users told as clients is of the last 29 days of it. */
  readonly days: number;
}

/** What might have happened in a shop. The same options give the same history, ids included. */
export function makeHistory({ seed, size, end, days }: HistoryOptions): History {
  const people = Math.max(6, Math.round(size / 40));
  const world = worldOf(randomOf(seed, 'history'), { end: end.getTime(), days, people });
  const events: Event[] = [];
  const visits: Visit[] = [];
  const tell = (event: Event) => {
    if (Date.parse(event.time) < world.end) events.push(event);
  };
  while (events.length + visits.length < size) {
    world.random.pick(stories)(world, tell);
    if (world.chance(0.5)) visits.push(...visitsOf(world, tell));
  }
  return { events, visits };
}
