import type { Collection, Transaction } from '@storefront/mongo';
import { funnelWindows } from '../../domain/facts/count.ts';
import type { FactDocument } from '../facts.ts';
import { actKinds, actsOf, storedFlags } from '../../domain/roll-ups/acts.ts';
import { alertDays, flagsOf, viewDays, type Flag } from '../../domain/roll-ups/flags.ts';

/** A fact, and the flags that it does not have yet. */
export interface FlaggedFact {
  readonly fact: FactDocument;
  readonly flags: readonly Flag[];
}

const dayMs = 24 * 60 * 60 * 1000;
const { view, cart, wish, alert, checkout, order, shipment, delivery } = actKinds;
/** After a view, an alert or a change of a cart, these facts can give it a flag. */
const causes = {
  [view]: { days: viewDays, steps: [wish, checkout, order] },
  [alert]: { days: alertDays, steps: [order] },
  [cart]: { days: Math.max(...funnelWindows), steps: [checkout, order, shipment, delivery] },
} as const;
const acts: ReadonlySet<string> = new Set(Object.values(actKinds));

/**
 * Finds the flags that follow from new facts. The flags may be on the new facts, and on earlier or later facts of the
 * same people.
 */
export async function findFlags(
  facts: Collection<FactDocument>,
  newFacts: readonly FactDocument[],
  { session }: Pick<Transaction, 'session'>,
): Promise<FlaggedFact[]> {
  const ofPeople = newFacts.filter(({ person, kind }) => person !== null && acts.has(kind));
  if (ofPeople.length === 0) return [];
  const filters = [...whatFollows(ofPeople), ...whatCameBefore(ofPeople)];
  const related = (await Promise.all(filters.map((filter) => facts.find(filter, { session }).toArray()))).flat();
  const all = new Map([...ofPeople, ...related].map((fact) => [fact._id, fact]));
  const flagged: FlaggedFact[] = [];
  for (const [, theirs] of Map.groupBy(all.values(), ({ person }) => person))
    for (const [id, flags] of flagsOf(actsOf(theirs))) {
      const fact = all.get(id);
      if (!fact) continue;
      const has = storedFlags(fact);
      const more = [...flags].filter((flag) => !has.includes(flag));
      if (more.length > 0) flagged.push({ fact, flags: more });
    }
  return flagged;
}

/**
 * Queries for the facts that may cause flags: all orders and wishes of these people, and their other steps within the
 * days in which a view or a cart may have led to them.
 */
function whatFollows(newFacts: readonly FactDocument[]) {
  const person = { $in: peopleOf(newFacts) };
  const { $gte, $lte } = timesOf(newFacts);
  const at = { $gte: earlier($gte, viewDays), $lte: later($lte, viewDays) };
  return [
    { person, kind: { $in: [order, wish] } },
    { person, kind: { $in: [checkout, shipment, delivery] }, at },
  ];
}

/**
 * Queries for earlier facts that may get flags because of new steps. A new view or cart gives no flag to another fact,
 * so nothing is read for these.
 */
function whatCameBefore(newFacts: readonly FactDocument[]) {
  return Object.entries(causes).flatMap(([kind, { days, steps }]) => {
    const after = newFacts.filter((fact) => steps.some((step) => step === fact.kind));
    if (after.length === 0) return [];
    const { $gte, $lte } = timesOf(after);
    return [{ person: { $in: peopleOf(after) }, kind, at: { $gte: earlier($gte, days), $lte } }];
  });
}

function peopleOf(facts: readonly FactDocument[]): number[] {
  return [...new Set(facts.flatMap(({ person }) => person ?? []))];
}

function timesOf(facts: readonly FactDocument[]): { readonly $gte: Date; readonly $lte: Date } {
  const [first, last] = facts.reduce(
    ([min, max], { at }) => [Math.min(min, at.getTime()), Math.max(max, at.getTime())],
    [Infinity, -Infinity],
  );
  return { $gte: new Date(first), $lte: new Date(last) };
}

function earlier(at: Date, days: number): Date {
  return new Date(at.getTime() - days * dayMs);
}

function later(at: Date, days: number): Date {
  return earlier(at, -days);
}
