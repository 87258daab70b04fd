import type { Revocations } from '../domain/revocations.ts';
import type { Streams } from '../streams.ts';

const sweepMs = 200;
// Chosen so that a stream ends within a second of its logout: this time, one sweep and one snapshot take less than 1 s
// together. Without faults the table is younger than this.
const snapshotAfterMs = 700;
const longestUnknownMs = 2000;

/**
 * Ends live streams whose token has expired or was revoked. While the table of revocations is too old, for example
 * without the broker, snapshots from identity complete it; one snapshot is enough for all streams. If there was no
 * snapshot for 2 s either, all streams with a token end, and their clients connect again. `addSnapshot` throws where
 * identity does not answer.
 */
export function watchStreams(parts: {
  streams: Streams;
  revocations: Pick<Revocations, 'status' | 'used'>;
  addSnapshot: () => Promise<void>;
}): { close(): void } {
  const { streams, revocations, addSnapshot } = parts;
  /** The table has all revocations from before this time of `performance.now()`. */
  let knownUpTo = -Infinity;
  let loading = false;

  function sweep(): void {
    if (streams.size() === 0) return;
    streams.endInvalid();
    const now = performance.now();
    revocations.used(now);
    const { bound, loaded, ageMs } = revocations.status(now);
    if (bound && loaded && ageMs !== null) knownUpTo = Math.max(knownUpTo, now - ageMs);
    if (now - knownUpTo > snapshotAfterMs && !loading) void catchUp(now);
    if (now - knownUpTo > longestUnknownMs) streams.endOpenedBefore(now - longestUnknownMs);
  }

  async function catchUp(now: number): Promise<void> {
    loading = true;
    try {
      await addSnapshot();
      knownUpTo = Math.max(knownUpTo, now);
    } catch {
      // The next sweep tries again.
    } finally {
      loading = false;
    }
  }

  const timer = setInterval(sweep, sweepMs).unref();
  return { close: () => clearInterval(timer) };
}
