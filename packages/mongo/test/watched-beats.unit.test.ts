import { describe, expect, it } from 'vitest';
import { afterRead, deadInstances, nothingWatched, type WatchedBeats } from '../src/watched-beats.ts';

const leaseMs = 15_000;
/** What a watcher knows that reads every 3 s; each read has the beat of the one instance at that time. */
function watchedFor(reads: readonly (number | null)[], everyMs = 3000, before: WatchedBeats = nothingWatched) {
  const start = Number.isFinite(before.readAt) ? before.readAt + everyMs : 0;
  return reads.reduce<WatchedBeats>(
    (watched, beat, index) =>
      afterRead(watched, beat === null ? [] : [{ id: 'one', beat }], start + index * everyMs, leaseMs),
    before,
  );
}
const dead = (watched: WatchedBeats) => deadInstances(watched, leaseMs);

describe('an instance', () => {
  it('is dead once its beat has been the same for the lease time', () => {
    expect(dead(watchedFor([7, 7, 7, 7, 7]))).toEqual([]);
    expect(dead(watchedFor([7, 7, 7, 7, 7, 7]))).toEqual([{ id: 'one', beat: 7 }]);
  });

  it('lives while its beat changes, in whatever way', () => {
    expect(dead(watchedFor([7, 8, 9, 10, 11, 12, 13]))).toEqual([]);
    expect(dead(watchedFor([7, 7, 7, 7, 8, 8, 8, 8, 8]))).toEqual([]);
    expect(dead(watchedFor([7, 7, 7, 7, 1, 1, 1]))).toEqual([]);
  });

  it('is not dead because the watcher, or the database, was away', () => {
    const before = watchedFor([7, 7, 7, 7]);
    const back = watchedFor([7], 60_000, before);
    expect(dead(back)).toEqual([]);
    expect(dead(watchedFor([7, 7, 7, 7], 3000, back))).toEqual([]);
    expect(dead(watchedFor([7, 7, 7, 7, 7], 3000, back))).toEqual([{ id: 'one', beat: 7 }]);
  });

  it('that has gone is forgotten', () => {
    expect(watchedFor([7, null]).seen.size).toBe(0);
    expect(dead(watchedFor([7, 7, 7, 7, null, 7, 7]))).toEqual([]);
  });
});
