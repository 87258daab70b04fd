import { collectionOf, type Collection, type Database } from '@storefront/mongo';
import { facts as factsDefinition, holdsSearchText, type FactDocument } from '../facts.ts';
import { monthsAfter } from '../../domain/facts/retention.ts';
import { actKinds, actsOf, storedMarks } from '../../domain/roll-ups/acts.ts';
import { marksOf, type Mark } from '../../domain/roll-ups/marks.ts';
import { searchTexts } from './collections.ts';
import type { TextLimits } from './show-texts.ts';

const atOnce = 1000;

/**
 * Sets the marks of all facts, person by person and text by text, without counting them: sums have them once a rebuild has made them
 * again. Marks that are there stay. Done again it changes nothing. Of texts it knows no limit for a day.
 */
export async function markAll(database: Database, texts: Pick<TextLimits, 'people' | 'months'>): Promise<void> {
  const facts = collectionOf(database, factsDefinition);
  await markTexts(database, facts, texts);
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

/** Marks all searches for texts that enough people have searched for. */
async function markTexts(
  database: Database,
  facts: Collection<FactDocument>,
  { people: least, months }: Pick<TextLimits, 'people' | 'months'>,
): Promise<void> {
  const texts = collectionOf(database, searchTexts);
  const kind = holdsSearchText;
  const noted = { isShown: true, day: 0, keptUntil: monthsAfter(new Date(), months) };
  const shown = facts.aggregate<{ readonly _id: string; readonly people: number[] }>(
    [
      { $match: { kind, 'data.words': { $type: 'string' }, person: { $gt: 0 } } },
      { $group: { _id: { words: '$data.words', person: '$person' } } },
      { $group: { _id: '$_id.words', people: { $firstN: { n: least, input: '$_id.person' } } } },
      { $match: { [`people.${least - 1}`]: { $exists: true } } },
    ],
    { allowDiskUse: true },
  );
  for await (const { _id: words, people } of shown) {
    await facts.updateMany({ kind, 'data.words': words }, { $addToSet: { marks: 'shown' } }, { hint: 'of_text' });
    await texts.replaceOne({ _id: words }, { people, ...noted }, { upsert: true });
  }
}
