/** The beats of instances as one watcher has seen them. All times are milliseconds of the watcher's monotonic clock. */
export interface WatchedBeats {
  /** When the last successful read was answered. */
  readonly readAt: number;
  readonly seen: ReadonlyMap<string, SeenBeat>;
}

interface SeenBeat {
  readonly beat: number;
  /** When this beat was first seen. */
  readonly since: number;
}

/** An instance as a read has found it. */
export interface ReadBeat {
  readonly id: string;
  readonly beat: number;
}

export const nothingWatched: WatchedBeats = { readAt: -Infinity, seen: new Map() };

/**
 * What a watcher knows after a read that was answered at `at`. A beat counts as unchanged only while reads are answered
 * in time: after a pause longer than half the lease time all counts begin again, because the database or the watcher
 * was away, and then no other instance could beat, or be seen to.
 */
export function afterRead(
  { readAt, seen }: WatchedBeats,
  read: readonly ReadBeat[],
  at: number,
  leaseMs: number,
): WatchedBeats {
  const isContinued = at - readAt <= leaseMs / 2;
  return {
    readAt: at,
    seen: new Map(
      read.map(({ id, beat }) => {
        const before = seen.get(id);
        const isSame = isContinued && before?.beat === beat;
        return [id, { beat, since: isSame ? before.since : at }];
      }),
    ),
  };
}

/** Those whose beat has not changed for the lease time. */
export function deadInstances({ readAt, seen }: WatchedBeats, leaseMs: number): ReadBeat[] {
  return [...seen].filter(([, { since }]) => readAt - since >= leaseMs).map(([id, { beat }]) => ({ id, beat }));
}
