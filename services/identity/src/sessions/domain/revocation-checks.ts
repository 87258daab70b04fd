/** Up to when, and up to which check of each gateway, everything that was revoked before has been published. */
interface Answered {
  readonly upTo: Date;
  readonly checks: ReadonlyMap<string, number>;
}

/** The checks of gateways that wait for an answer: the newest one of each gateway, which answers its older ones too. */
export interface WaitingChecks {
  add(gateway: string, check: number): void;
  /**
   * To be called right before a read of the revocations that wait to be published begins, with the time. What is returned takes
   * the ids that the read found, and says what is answered by it, if anything is; it is not called where the read fails.
   * There is one read at a time.
   */
  beginRead(now: Date): (unpublished: ReadonlySet<string>) => Answered | null;
  isEmpty(): boolean;
}

/** The checks whose first read was the same one. */
interface Group {
  readonly read: number;
  readonly readAt: Date;
  readonly checks: ReadonlyMap<string, number>;
}

// A gateway that starts again is a new one; while nothing can be answered, those that are gone must not pile up.
const mostGateways = 1000;
// Reads are a tenth of a second apart, so these are two seconds.
const mostGroups = 20;

/**
 * A check is answered once nothing is left of what its first read found: the first read that began after the check had come. It
 * need not wait for what was revoked later, which may never be nothing.
 */
export function createWaitingChecks(): WaitingChecks {
  const arrived = new Map<string, number>();
  let groups: readonly Group[] = [];
  let reads = 0;
  /** By which read each revocation that still waits was first found. */
  let firstFound = new Map<string, number>();

  function group(read: number, readAt: Date, checks: ReadonlyMap<string, number>): void {
    for (const [gateway, check] of checks) if (arrived.get(gateway) === check) arrived.delete(gateway);
    groups = [...groups, { read, readAt, checks }];
    if (groups.length <= mostGroups) return;
    // While a revocation is stuck: what the newer read found is all that was left of the older one, and more.
    const both = groups.slice(-2).map((each) => each.checks);
    groups = [...groups.slice(0, -2), { read, readAt, checks: newestOf(both) }];
  }

  return {
    add(gateway, check) {
      if (!arrived.has(gateway) && arrived.size >= mostGateways) return;
      arrived.set(gateway, Math.max(check, arrived.get(gateway) ?? check));
    },
    beginRead(readAt) {
      const checks = new Map(arrived);
      return (unpublished) => {
        const read = (reads += 1);
        group(read, readAt, checks);
        firstFound = new Map([...unpublished].map((id) => [id, firstFound.get(id) ?? read]));
        const oldest = Math.min(...firstFound.values());
        const answered = groups.filter((each) => each.read < oldest);
        groups = groups.slice(answered.length);
        const last = answered.at(-1);
        return last ? { upTo: last.readAt, checks: newestOf(answered.map((each) => each.checks)) } : null;
      };
    },
    isEmpty: () => arrived.size === 0 && groups.every(({ checks }) => checks.size === 0),
  };
}

function newestOf(all: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  for (const [gateway, check] of all.flatMap((checks) => [...checks]))
    newest.set(gateway, Math.max(check, newest.get(gateway) ?? check));
  return newest;
}
