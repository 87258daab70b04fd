import type { Evidence } from './evidence.ts';

/** A thing that must be there a number of times in the end. */
interface Expectation {
  /** How many there are. */
  readonly count: (evidence: Evidence) => number | Promise<number>;
  readonly atLeast: number;
  readonly atMost: number;
}

/** Something that is not as it was promised. */
export interface Finding {
  readonly kind: 'lost' | 'duplicated';
  readonly by: number;
  readonly what: string;
  readonly operations: readonly string[];
  readonly expected: string;
  readonly found: string;
}

export interface Tally {
  /** Operations that were answered with success. */
  readonly acknowledged: number;
  /** Of those, the ones whose every promise was kept. */
  readonly ok: number;
  readonly lost: number;
  readonly duplicated: number;
  readonly findings: readonly Finding[];
}

/** One call of the API, with its tries. */
export interface Entry {
  readonly name: string;
  /** Success, seen by its caller. */
  acknowledged(): void;
  /** One more of `what`, or none, is to be there: adds to what was expected of it before. */
  promise(what: string, expectation: Expectation): void;
  /** From here on this is what is expected of `what`, in place of what was before. */
  replace(what: string, expectation: Expectation): void;
  /** Something was seen that must never be. */
  violated(what: string, expected: string, found: string): void;
}

interface Expected {
  count: Expectation['count'];
  atLeast: number;
  atMost: number;
  readonly entries: Set<Written>;
}

interface Written extends Entry {
  isAcknowledged: boolean;
}

/** What was acknowledged, and what that promised. It lives outside the system: nothing there can make it forget. */
export interface Ledger {
  begin(operation: string): Entry;
  readonly begun: number;
  readonly acknowledged: number;
  /** Compares what was promised with what is there. */
  settle(evidence: Evidence): Promise<Tally>;
}

export function createLedger(): Ledger {
  const expectations = new Map<string, Expected>();
  const violations: { finding: Finding; entry: Written }[] = [];
  let begun = 0;
  let acknowledged = 0;

  function begin(operation: string): Entry {
    begun += 1;
    const entry: Written = {
      name: `#${begun} ${operation}`,
      isAcknowledged: false,
      acknowledged() {
        if (!entry.isAcknowledged) acknowledged += 1;
        entry.isAcknowledged = true;
      },
      promise(what, { count, atLeast, atMost }) {
        const before = expectations.get(what) ?? { count, atLeast: 0, atMost: 0, entries: new Set<Written>() };
        before.atLeast += atLeast;
        before.atMost += atMost;
        before.entries.add(entry);
        expectations.set(what, before);
      },
      replace(what, expectation) {
        expectations.set(what, { ...expectation, entries: new Set([entry]) });
      },
      violated(what, expected, found) {
        violations.push({ entry, finding: { kind: 'lost', by: 1, what, operations: [entry.name], expected, found } });
      },
    };
    return entry;
  }

  async function settle(evidence: Evidence): Promise<Tally> {
    const findings = violations.map(({ finding }) => finding);
    const broken = new Set(violations.map(({ entry }) => entry));
    for (const [what, { count, atLeast, atMost, entries }] of expectations) {
      const found = await count(evidence);
      if (found >= atLeast && found <= atMost) continue;
      for (const entry of entries) broken.add(entry);
      const kind = found < atLeast ? 'lost' : 'duplicated';
      findings.push({
        kind,
        by: kind === 'lost' ? atLeast - found : found - atMost,
        what,
        operations: [...entries].map(({ name }) => name),
        expected: atLeast === atMost ? String(atLeast) : `${atLeast} to ${atMost}`,
        found: String(found),
      });
    }
    const sum = (kind: Finding['kind']) =>
      findings.filter((finding) => finding.kind === kind).reduce((total, { by }) => total + by, 0);
    const brokenPromises = [...broken].filter(({ isAcknowledged }) => isAcknowledged).length;
    return {
      acknowledged,
      ok: acknowledged - brokenPromises,
      lost: sum('lost'),
      duplicated: sum('duplicated'),
      findings,
    };
  }

  return {
    begin,
    get begun() {
      return begun;
    },
    get acknowledged() {
      return acknowledged;
    },
    settle,
  };
}
