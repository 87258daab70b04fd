import type { Collection, Transaction } from '@storefront/mongo';
import type { FactDocument } from '../facts.ts';
import { actKinds, actsOf, storedMarks } from '../../domain/roll-ups/acts.ts';
import { alertDays, marksOf, viewDays, type Mark } from '../../domain/roll-ups/marks.ts';

/** A fact that gets marks which it has not had yet. */
export interface MarkedFact {
  readonly fact: FactDocument;
  readonly marks: readonly Mark[];
}

const dayMs = 24 * 60 * 60 * 1000;
const { view, wish, alert, checkout, order } = actKinds;
const steps: ReadonlySet<string> = new Set([wish, checkout, order]);
const acts: ReadonlySet<string> = new Set(Object.values(actKinds));

/** The marks that follow from the new facts, on them and on what the same people did before and after. */
export async function findMarks(
  facts: Collection<FactDocument>,
  newFacts: readonly FactDocument[],
  { session }: Pick<Transaction, 'session'>,
): Promise<MarkedFact[]> {
  const ofPeople = newFacts.filter(({ person, kind }) => person !== null && acts.has(kind));
  if (ofPeople.length === 0) return [];
  const filters = [...whatFollows(ofPeople), ...whatCameBefore(ofPeople)];
  const related = (await Promise.all(filters.map((filter) => facts.find(filter, { session }).toArray()))).flat();
  const all = new Map([...ofPeople, ...related].map((fact) => [fact._id, fact]));
  const marked: MarkedFact[] = [];
  for (const [, theirs] of Map.groupBy(all.values(), ({ person }) => person))
    for (const [id, marks] of marksOf(actsOf(theirs))) {
      const fact = all.get(id);
      if (!fact) continue;
      const has = storedMarks(fact);
      const more = [...marks].filter((mark) => !has.includes(mark));
      if (more.length > 0) marked.push({ fact, marks: more });
    }
  return marked;
}

/** What makes marks: all orders and wishes of these people, and their checkouts as long as a view may lead to them. */
function whatFollows(newFacts: readonly FactDocument[]) {
  const person = { $in: peopleOf(newFacts) };
  const { $gte, $lte } = timesOf(newFacts);
  const at = { $gte: earlier($gte, viewDays), $lte: later($lte, viewDays) };
  return [
    { person, kind: { $in: [order, wish] } },
    { person, kind: checkout, at },
  ];
}

/** What new steps may make marks on. A new view makes none on others, so nobody's views are read for it. */
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
