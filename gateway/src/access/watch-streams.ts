import type { Revocations } from '../domain/revocations.ts';
import type { Streams } from '../streams.ts';

const sweepMs = 200;
// With a sweep and a snapshot on top of it a stream ends within a second of its logout. Without faults the table is younger.
const snapshotAfterMs = 700;
const longestUnknownMs = 2000;

/**
 * Ends live streams whose token has expired or was revoked. While the table of revocations is too old, as without the broker, it
 * is completed by snapshots of identity, of which one is enough for all streams. Where there has been none for 2 s either,
 * streams end, and their clients connect again. `addSnapshot` throws where identity does not answer.
 */
export function watchStreams(parts: {
  streams: Streams;
  revocations: Pick<Revocations, 'status'>;
  addSnapshot: () => Promise<void>;
}): { close(): void } {
  const { streams, revocations, addSnapshot } = parts;
  /** Everything that was revoked before this is in the table. */
  let knownUpTo = -Infinity;
  let loading = false;

  function sweep(): void {
    if (streams.size() === 0) return;
    streams.endInvalid();
    const now = performance.now();
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
