import type { Collection, Transaction } from '@storefront/mongo';
import type { FactDocument } from '../facts.ts';
import { actKinds, actsOf, storedFlags } from '../../domain/roll-ups/acts.ts';
import { alertDays, flagsOf, viewDays, type Flag } from '../../domain/roll-ups/flags.ts';

/** A fact, and the flags that it does not have yet. */
export interface FlaggedFact {
  readonly fact: FactDocument;
  readonly flags: readonly Flag[];
}

const dayMs = 24 * 60 * 60 * 1000;
const { view, wish, alert, checkout, order } = actKinds;
const steps: ReadonlySet<string> = new Set([wish, checkout, order]);
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
 * Queries for the facts that may cause flags: all orders and wishes of these people, and their checkouts within the
 * days in which a view may have led to them.
 */
function whatFollows(newFacts: readonly FactDocument[]) {
  const person = { $in: peopleOf(newFacts) };
  const { $gte, $lte } = timesOf(newFacts);
  const at = { $gte: earlier($gte, viewDays), $lte: later($lte, viewDays) };
  return [
    { person, kind: { $in: [order, wish] } },
    { person, kind: checkout, at },
  ];
}

/**
 * Queries for earlier facts that may get flags because of new steps. A new view gives no flag to another fact, so
 * nothing is read for new views.
 */
function whatCameBefore(newFacts: readonly FactDocument[]) {
  const newSteps = newFacts.filter(({ kind }) => steps.has(kind));
  const newOrders = newSteps.filter(({ kind }) => kind === order);
  return [
    { kind: view, days: viewDays, after: newSteps },
    { kind: alert, days: alertDays, after: newOrders },
  ].flatMap(({ kind, days, after }) => {
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
