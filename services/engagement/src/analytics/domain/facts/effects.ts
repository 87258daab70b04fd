import type { Count, LaterCounts, PeopleSet } from './count.ts';
import type { Fact } from './fact.ts';
import type { FactKind } from './kind.ts';
import { kinds } from './kinds.ts';

/** What a fact adds to the sums of its moment and segment. Throws where this version doesn't know its kind. */
export function countsOf(fact: Fact): readonly Count[] {
  return kindOf(fact).countsOf(fact);
}

/** What a fact adds from later days on. */
export function laterCountsOf(fact: Fact): readonly LaterCounts[] {
  return kindOf(fact).laterCountsOf?.(fact) ?? [];
}

/** The last moment at which a fact counts, to within a day: days of the shop are taken for those of UTC. */
export function lastMomentOf(fact: Fact): Date {
  return new Date(Math.max(fact.at.getTime(), ...laterCountsOf(fact).map(({ from }) => Date.parse(from))));
}

/** The sets that the person of a fact belongs to at its moment and in its segment: none for a fact of nobody. */
export function setsOf(fact: Fact): readonly PeopleSet[] {
  return fact.person === null ? [] : kindOf(fact).setsOf(fact);
}

// Each kind reads the data that it stated itself, which the compiler can't know of a kind that is looked up.
const kindsByName = new Map(Object.entries(kinds)) as unknown as ReadonlyMap<string, FactKind>;

function kindOf({ kind: name }: Fact): FactKind {
  const kind = kindsByName.get(name);
  if (!kind) throw new Error(`There is no kind of facts with the name ${name}`);
  return kind;
}
