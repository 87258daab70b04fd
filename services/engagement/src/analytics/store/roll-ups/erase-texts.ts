import { collectionOf, inTransaction, type Database, type Transaction } from '@storefront/mongo';
import { textOf, withoutTexts } from '../../domain/facts/texts.ts';
import { facts as factsDefinition, holdsSearchText, type FactDocument } from '../facts.ts';
import { collect } from '../../domain/roll-ups/collect.ts';
import { countsOfFlags } from '../../domain/roll-ups/count-flags.ts';
import { spanLengths, spanWith } from '../../domain/roll-ups/split-interval.ts';
import { allUnits } from '../../domain/roll-ups/set-units.ts';
import type { ShopDays } from '../../domain/roll-ups/shop-days.ts';
import { cellId, rollUpCells, rollUpState, searchTexts, textErasures } from './collections.ts';
import type { TextLimits } from './show-texts.ts';
import { openStoredSums } from './stored-cells.ts';

type Session = Pick<Transaction, 'session'>;

/** How many searches are erased in one transaction. */
const atOnce = 200;

/**
 * Returns a function that erases the texts that the person with a number wrote, from the facts and from their sums. A
 * text is no longer shown when too few other people have searched for it. Erasing again changes nothing.
 */
export function openTextErasure(
  { database, shopDays }: { readonly database: Database; readonly shopDays: ShopDays },
  limits: Pick<TextLimits, 'people' | 'months'>,
): (person: number) => Promise<void> {
  const facts = collectionOf(database, factsDefinition);
  const [texts, cells] = [collectionOf(database, searchTexts), collectionOf(database, rollUpCells)];
  const state = collectionOf(database, rollUpState);
  const sums = openStoredSums(database, limits.months);

  /** Moves the searches from the sums of their text back to the sums of all texts that are not shown. */
  async function hide(searches: readonly FactDocument[], transaction: Transaction): Promise<void> {
    const shown = searches.filter(({ flags = [] }) => flags.includes('shown'));
    if (shown.length === 0) return;
    const { session } = transaction;
    const taken = collect(allUnits);
    for (const search of shown) {
      const counts = countsOfFlags(search, ['shown']).counts.map(({ measures, ...of }) => ({
        ...of,
        measures: Object.fromEntries(Object.entries(measures).map(([name, value]) => [name, -value])),
      }));
      taken.add(shopDays.quarterOf(search.at), search.segment, counts);
    }
    await sums.add(taken.sums(), transaction);
    await facts.updateMany({ _id: { $in: shown.map(({ _id }) => _id) } }, { $pull: { flags: 'shown' } }, { session });
    await removeEmpty(shown, transaction);
  }

  /**
   * Deletes sums of a text that have become empty. Otherwise the text would remain, because the ids of the sums contain
   * it.
   */
  async function removeEmpty(searches: readonly FactDocument[], { session }: Session): Promise<void> {
    const ids = searches.flatMap((search) =>
      spanLengths.map((length) =>
        cellId({ family: 'searches', of: textOf(search) ?? '' }, spanWith(shopDays.dayOf(search.at), length)),
      ),
    );
    const nothing = ['trade', 'retail', 'guest'].map((segment) => ({ [`${segment}.times`]: { $in: [null, 0] } }));
    await cells.deleteMany({ _id: { $in: [...new Set(ids)] }, $and: nothing }, { session });
  }

  /**
   * Stores which people have still searched for the text. Hides the text where there are too few people. Searches that
   * are not counted yet add their people when they are counted: only the counting shows a text, with all searches for it.
   */
  async function leave(text: string, transaction: Transaction): Promise<void> {
    const { session } = transaction;
    const ofText = { kind: holdsSearchText, 'data.words': text } as const;
    const counted = { ...ofText, person: { $gt: 0 }, pending: { $ne: true } };
    const left = await facts
      .aggregate<{ readonly _id: number }>(
        [{ $match: counted }, { $group: { _id: '$person' } }, { $limit: limits.people }],
        { session, hint: 'of_text' },
      )
      .toArray();
    const people = left.map(({ _id }) => _id);
    const isTooFew = people.length < limits.people;
    if (isTooFew) {
      const shown = { ...ofText, flags: 'shown' };
      await hide(await facts.find(shown, { session, hint: 'of_text' }).toArray(), transaction);
    }
    if (people.length === 0) await texts.deleteOne({ _id: text }, { session });
    else await texts.updateOne({ _id: text }, { $set: { people, ...(isTooFew && { isShown: false }) } }, { session });
  }

  async function eraseSome(person: number, transaction: Transaction): Promise<number> {
    const { session } = transaction;
    const searches = await facts
      .find({ person, kind: holdsSearchText, 'data.words': { $ne: null } }, { session, hint: 'of_person' })
      .limit(atOnce)
      .toArray();
    if (searches.length === 0) return 0;
    await hide(searches, transaction);
    await facts.bulkWrite(
      searches.map((search) => ({
        updateOne: { filter: { _id: search._id }, update: { $set: { data: withoutTexts(search).data } } },
      })),
      { session, ordered: false },
    );
    for (const text of new Set(searches.map((search) => textOf(search) ?? ''))) await leave(text, transaction);
    // A rebuild may have read the texts before the erasure. When this number has changed, the rebuild starts the day
    // again.
    await state.updateOne({ _id: textErasures }, { $inc: { erasures: 1 } }, { session, upsert: true });
    return searches.length;
  }

  return async (person) => {
    const { data } = withoutTexts({ kind: 'custom', data: {} });
    await facts.updateMany({ person, kind: 'custom' }, { $set: { data } }, { hint: 'of_person' });
    while ((await inTransaction(database, (transaction) => eraseSome(person, transaction))) === atOnce);
  };
}
