import type { FinalState } from './final-state.ts';

/** How often something must exist at the end. */
interface Expectation {
  /** Counts how often it exists. */
  readonly count: (finalState: FinalState) => number | Promise<number>;
  readonly atLeast: number;
  readonly atMost: number;
  /** Describes what exists, if the number alone does not explain it. */
  readonly show?: (finalState: FinalState) => Promise<string>;
}

/** A promise that was broken. */
export interface Finding {
  readonly kind: 'lost' | 'duplicated';
  readonly by: number;
  readonly what: string;
  readonly operations: readonly string[];
  readonly expected: string;
  readonly found: string;
}

export interface Tally {
  /** Operations with a successful response. */
  readonly acknowledged: number;
  /** Those of them whose promises were all kept. */
  readonly ok: number;
  readonly lost: number;
  readonly duplicated: number;
  readonly findings: readonly Finding[];
}

/** One operation and its promises. */
export interface Entry {
  readonly name: string;
  /** The caller received a successful response. */
  acknowledged(): void;
  /** The promises that follow concern this person. */
  about(person: string): void;
  /** Adds to the number of `what` that must exist. */
  promise(what: string, expectation: Expectation): void;
  /** Replaces everything that was expected of `what`. */
  replace(what: string, expectation: Expectation): void;
  /**
   * The person was erased, or may have been if `isSure` is false. Earlier promises about this person are void, except
   * that what must never exist still must not exist.
   */
  erased(person: string, isSure: boolean): void;
  /** Reports a wrong response. */
  violated(what: string, expected: string, found: string): void;
}

interface Expected extends Expectation {
  atLeast: number;
  atMost: number;
  readonly person: string | undefined;
  readonly entries: Set<LedgerEntry>;
}

interface LedgerEntry extends Entry {
  isAcknowledged: boolean;
  person: string | undefined;
}

/** Records the acknowledged operations and their promises, outside the system, so that no fault can lose them. */
export interface Ledger {
  begin(operation: string): Entry;
  readonly begun: number;
  readonly acknowledged: number;
  /** The names of the operations of which at least one was acknowledged. */
  readonly acknowledgedKinds: ReadonlySet<string>;
  /** The people who were erased, or may have been. */
  readonly erased: ReadonlySet<string>;
  /** Compares the promises with the final state. */
  compare(finalState: FinalState): Promise<Tally>;
}

export function createLedger(): Ledger {
  const expectations = new Map<string, Expected>();
  const erased = new Set<string>();
  const violations: { finding: Finding; entry: LedgerEntry }[] = [];
  const acknowledgedKinds = new Set<string>();
  let begun = 0;
  let acknowledged = 0;

  function begin(operation: string): Entry {
    begun += 1;
    const entry: LedgerEntry = {
      name: `#${begun} ${operation}`,
      isAcknowledged: false,
      person: undefined,
      acknowledged() {
        if (!entry.isAcknowledged) acknowledged += 1;
        entry.isAcknowledged = true;
        acknowledgedKinds.add(operation);
      },
      about(person) {
        entry.person = person;
      },
      promise(what, expectation) {
        const before = expectations.get(what);
        if (!before) return entry.replace(what, expectation);
        before.atLeast += expectation.atLeast;
        before.atMost += expectation.atMost;
        before.entries.add(entry);
      },
      replace(what, expectation) {
        expectations.set(what, { ...expectation, person: entry.person, entries: new Set([entry]) });
      },
      erased(person, isSure) {
        erased.add(person);
        for (const [what, expected] of expectations) {
          if (expected.person !== person) continue;
          if (isSure && expected.atMost > 0) expectations.delete(what);
          else expected.atLeast = 0;
        }
      },
      violated(what, expected, found) {
        violations.push({ entry, finding: { kind: 'lost', by: 1, what, operations: [entry.name], expected, found } });
      },
    };
    return entry;
  }

  async function compare(finalState: FinalState): Promise<Tally> {
    const findings = violations.map(({ finding }) => finding);
    const broken = new Set(violations.map(({ entry }) => entry));
    for (const [what, { count, show, atLeast, atMost, entries }] of expectations) {
      const found = await count(finalState);
      if (found >= atLeast && found <= atMost) continue;
      for (const entry of entries) broken.add(entry);
      const kind = found < atLeast ? 'lost' : 'duplicated';
      findings.push({
        kind,
        by: kind === 'lost' ? atLeast - found : found - atMost,
        what,
        operations: [...entries].map(({ name }) => name),
        expected: atLeast === atMost ? String(atLeast) : `${atLeast} to ${atMost}`,
        found: show ? await show(finalState) : String(found),
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
    acknowledgedKinds,
    erased,
    compare,
  };
}
