/**
 * The checks of gateways that wait for an answer. Only the newest check of each gateway is kept: its answer also
 * answers the older ones.
 */
export interface WaitingChecks {
  add(gateway: string, check: number): void;
  /**
   * Call `beginRead` right before the revocations that wait to be published are read. Then call the returned function
   * with the ids that the read has found: it returns the checks that are answered now. If the read fails, don't call
   * the returned function. Only one read may run at a time.
   */
  beginRead(): (unpublished: ReadonlySet<string>) => ReadonlyMap<string, number>;
  isEmpty(): boolean;
}

/** The checks that arrived before the same read and after the read before it. */
interface Group {
  readonly read: number;
  readonly checks: ReadonlyMap<string, number>;
}

// A gateway that restarts has a new name. While no check can be answered, the names of former gateways must not pile
// up.
const mostGateways = 1000;
// Reads are a tenth of a second apart, so 20 groups cover two seconds.
const mostGroups = 20;

/**
 * The first read of a check is the first one that began after the check had arrived. The check is answered when all
 * revocations that this read found have been published. Later revocations are not waited for, since there may always be
 * another one.
 */
export function createWaitingChecks(): WaitingChecks {
  const arrived = new Map<string, number>();
  let groups: readonly Group[] = [];
  let reads = 0;
  /** For each revocation that still waits: the number of the read that found it first. */
  let firstFound = new Map<string, number>();

  function group(read: number, checks: ReadonlyMap<string, number>): void {
    if (checks.size === 0) return;
    for (const [gateway, check] of checks) if (arrived.get(gateway) === check) arrived.delete(gateway);
    groups = [...groups, { read, checks }];
    if (groups.length <= mostGroups) return;
    // So many groups mean that a revocation is stuck. The two newest groups are joined: the newer read found everything
    // that still waits from the older read, and more.
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
