/**
 * The beats of all instances that one watcher has seen. All times are milliseconds of the watcher's monotonic clock.
 */
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

/** An instance and its beat in one read. */
export interface ReadBeat {
  readonly id: string;
  readonly beat: number;
}

export const nothingWatched: WatchedBeats = { readAt: -Infinity, seen: new Map() };

/**
 * Returns the watcher's knowledge after a read that was answered at `at`. If the last read was more than half the lease
 * time ago, the time of all beats starts again. In such a pause the database or the watcher was not working, so the
 * watcher could have missed beats.
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

/** Returns the instances whose beat has not changed for the lease time. */
export function deadInstances({ readAt, seen }: WatchedBeats, leaseMs: number): ReadBeat[] {
  return [...seen].filter(([, { since }]) => readAt - since >= leaseMs).map(([id, { beat }]) => ({ id, beat }));
}
