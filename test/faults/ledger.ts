import type { Evidence } from './evidence.ts';

/** A thing that must be there a number of times in the end. */
interface Expectation {
  /** How many there are. */
  readonly count: (evidence: Evidence) => number | Promise<number>;
  readonly atLeast: number;
  readonly atMost: number;
  /** What is there, where the number says too little. */
  readonly show?: (evidence: Evidence) => Promise<string>;
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
  /** What is promised from here on is about this person. */
  about(person: string): void;
  /** One more of `what`, or none, is to be there: adds to what was expected of it before. */
  promise(what: string, expectation: Expectation): void;
  /** From here on this is what is expected of `what`, in place of what was before. */
  replace(what: string, expectation: Expectation): void;
  /**
   * The person is erased, or may be: nothing of what was promised about them until here must be there any more. What must
   * never be there still must not.
   */
  erased(person: string, isSure: boolean): void;
  /** Something was seen that must never be. */
  violated(what: string, expected: string, found: string): void;
}

interface Expected extends Expectation {
  atLeast: number;
  atMost: number;
  readonly person: string | undefined;
  readonly entries: Set<Written>;
}

interface Written extends Entry {
  isAcknowledged: boolean;
  person: string | undefined;
}

/** What was acknowledged, and what that promised. It lives outside the system: nothing there can make it forget. */
export interface Ledger {
  begin(operation: string): Entry;
  readonly begun: number;
  readonly acknowledged: number;
  /** Who is erased, or may be. */
  readonly erased: ReadonlySet<string>;
  /** Compares what was promised with what is there. */
  settle(evidence: Evidence): Promise<Tally>;
}

export function createLedger(): Ledger {
  const expectations = new Map<string, Expected>();
  const erased = new Set<string>();
  const violations: { finding: Finding; entry: Written }[] = [];
  let begun = 0;
  let acknowledged = 0;

  function begin(operation: string): Entry {
    begun += 1;
    const entry: Written = {
      name: `#${begun} ${operation}`,
      isAcknowledged: false,
      person: undefined,
      acknowledged() {
        if (!entry.isAcknowledged) acknowledged += 1;
        entry.isAcknowledged = true;
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

  async function settle(evidence: Evidence): Promise<Tally> {
    const findings = violations.map(({ finding }) => finding);
    const broken = new Set(violations.map(({ entry }) => entry));
    for (const [what, { count, show, atLeast, atMost, entries }] of expectations) {
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
        found: show ? await show(evidence) : String(found),
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
    erased,
    settle,
  };
}
