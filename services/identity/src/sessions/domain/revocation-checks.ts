/** The checks of gateways that wait for an answer: the newest one of each gateway, which answers its older ones too. */
export interface WaitingChecks {
  add(gateway: string, check: number): void;
  /**
   * Call it right before a read of the revocations that wait to be published begins, and what it returns with the ids that the
   * read found: that returns the checks that are answered now. It is not called where the read fails. There is one read at a
   * time.
   */
  beginRead(): (unpublished: ReadonlySet<string>) => ReadonlyMap<string, number>;
  isEmpty(): boolean;
}

/** The checks whose first read was the same. */
interface Group {
  readonly read: number;
  readonly checks: ReadonlyMap<string, number>;
}

// A gateway that restarts has a new name; while nothing can be answered, the names of former gateways must not pile up.
const mostGateways = 1000;
// Reads are a tenth of a second apart, so these are two seconds.
const mostGroups = 20;

/**
 * A check is answered once all that its first read found is published: the first read that began after the check had arrived.
 * What was revoked later is not waited for, since there may always be something.
 */
export function createWaitingChecks(): WaitingChecks {
  const arrived = new Map<string, number>();
  let groups: readonly Group[] = [];
  let reads = 0;
  /** By which read each revocation that still waits was first found. */
  let firstFound = new Map<string, number>();

  function group(read: number, checks: ReadonlyMap<string, number>): void {
    if (checks.size === 0) return;
    for (const [gateway, check] of checks) if (arrived.get(gateway) === check) arrived.delete(gateway);
    groups = [...groups, { read, checks }];
    if (groups.length <= mostGroups) return;
    // While a revocation is stuck: the newer read found all that was left of the older one, and more.
    const both = groups.slice(-2).map((each) => each.checks);
    groups = [...groups.slice(0, -2), { read, checks: newestOf(both) }];
  }

  return {
    add(gateway, check) {
      if (!arrived.has(gateway) && arrived.size >= mostGateways) return;
      arrived.set(gateway, Math.max(check, arrived.get(gateway) ?? check));
    },
    beginRead() {
      const checks = new Map(arrived);
      return (unpublished) => {
        const read = (reads += 1);
        group(read, checks);
        firstFound = new Map([...unpublished].map((id) => [id, firstFound.get(id) ?? read]));
        const oldest = Math.min(...firstFound.values());
        const answered = groups.filter((each) => each.read < oldest);
        groups = groups.slice(answered.length);
        return newestOf(answered.map((each) => each.checks));
      };
    },
    isEmpty: () => arrived.size === 0 && groups.length === 0,
  };
}

function newestOf(all: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  for (const [gateway, check] of all.flatMap((checks) => [...checks]))
    newest.set(gateway, Math.max(check, newest.get(gateway) ?? check));
  return newest;
}
