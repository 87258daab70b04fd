import { collectionOf } from '@storefront/mongo';
import type { Database } from '@storefront/mongo';
import { facts as factsDefinition } from '../../facts/store/facts.ts';
import type { FactDocument } from '../../facts/store/facts.ts';
import { actKinds, actsOf, storedMarks } from '../domain/acts.ts';
import { marksOf } from '../domain/marks.ts';
import type { Mark } from '../domain/marks.ts';

const atOnce = 1000;

/**
 * Sets the marks of all facts, person by person, without counting them: sums have them once a rebuild has made them again. Marks that
 * are there stay. Done again it changes nothing.
 */
export async function markAll(database: Database): Promise<void> {
  const facts = collectionOf(database, factsDefinition);
  let writes: { readonly updateOne: { readonly filter: object; readonly update: object } }[] = [];

  function mark(ofPerson: readonly FactDocument[]): void {
    const marks = marksOf(actsOf(ofPerson));
    for (const fact of ofPerson) {
      const has = storedMarks(fact);
      const more: Mark[] = [...(marks.get(fact._id) ?? [])].filter((each) => !has.includes(each));
      if (more.length === 0) continue;
      // Somebody who counts may set the same mark meanwhile.
      writes.push({ updateOne: { filter: { _id: fact._id }, update: { $addToSet: { marks: { $each: more } } } } });
    }
  }
  async function write(least: number): Promise<void> {
    if (writes.length < least) return;
    await facts.bulkWrite(writes, { ordered: false });
    writes = [];
  }

  const found = facts
    .find({ person: { $gt: 0 }, kind: { $in: Object.values(actKinds) } }, { hint: 'of_person' })
    .sort({ person: 1, kind: 1, at: 1 });
  let ofPerson: FactDocument[] = [];
  for await (const fact of found) {
    if (fact.person !== ofPerson[0]?.person) {
      mark(ofPerson);
      await write(atOnce);
      ofPerson = [];
    }
    ofPerson.push(fact);
  }
  mark(ofPerson);
  await write(1);
}
