import { collectionOf, type Collection, type Database, type Transaction } from '@storefront/mongo';
import { monthsAfter } from '../../domain/facts/retention.ts';
import { textOf } from '../../domain/facts/texts.ts';
import { holdsSearchText, type FactDocument } from '../facts.ts';
import { spanWith } from '../../domain/roll-ups/split-interval.ts';
import type { DayIndex, ShopDays } from '../../domain/roll-ups/shop-days.ts';
import { afterPrefix, cellId, cellPrefix, rollUpCells, searchTexts } from './collections.ts';
import type { FlaggedFact } from './find-flags.ts';

/** Limits for the searched texts that reports show. */
export interface TextLimits {
  /** How many different people must have searched for a text before reports show it. */
  readonly people: number;
  /** How many texts may have sums on one day. The same number limits how many new texts are stored in a day. */
  readonly perDay: number;
  /** For how many months texts are kept. It is the same number as for facts. */
  readonly months: number;
}

type TextDocument = { readonly people: readonly number[]; readonly isShown: boolean };

/**
 * Returns a function that stores who searched for which text, and finds the searches whose text is to be shown: new
 * searches, and earlier searches once enough people have searched for the text. A text beyond the limits of a day stays
 * among the texts that are not shown. Only the holder of the counting job may call the function.
 */
export function openTextShowing(
  {
    database,
    facts,
    shopDays,
    now,
  }: {
    readonly database: Database;
    readonly facts: Collection<FactDocument>;
    readonly shopDays: ShopDays;
    readonly now: () => Date;
  },
  limits: TextLimits,
) {
  const [texts, cells] = [collectionOf(database, searchTexts), collectionOf(database, rollUpCells)];

  /**
   * Adds the people of new searches to their texts. Returns two sets of texts: `shown` were shown before, and `become`
   * are shown from now on.
   */
  async function note(
    searches: ReadonlyMap<string, readonly FactDocument[]>,
    { session }: Pick<Transaction, 'session'>,
  ) {
    const found = await texts.find({ _id: { $in: [...searches.keys()] } }, { session }).toArray();
    const known = new Map<string, TextDocument>(found.map((each) => [each._id, each]));
    const day = shopDays.dayOf(now());
    const noted = await texts.countDocuments({ day }, { session, limit: limits.perDay });
    let left = limits.perDay - noted;
    const [shown, become] = [new Set<string>(), new Set<string>()];
    const keptUntil = monthsAfter(now(), limits.months);
    const writes = [...searches].flatMap(([text, ofText]) => {
      const before = known.get(text);
      if (!before && (left -= 1) < 0) return [];
      const all = new Set([...(before?.people ?? []), ...ofText.flatMap(({ person }) => person ?? [])]);
      const isShown = before?.isShown === true || all.size >= limits.people;
      if (isShown) (before?.isShown ? shown : become).add(text);
      const people = [...all].slice(0, limits.people);
      const update = { $set: { people, isShown }, $max: { keptUntil }, $setOnInsert: { day } };
      return [{ updateOne: { filter: { _id: text }, update, upsert: true } }];
    });
    if (writes.length > 0) await texts.bulkWrite(writes, { session, ordered: false });
    return { shown, become };
  }

  /**
   * Leaves out searches whose text would exceed the limit of its day. A text that already has sums on the day stays.
   */
  async function withinDays(
    searches: readonly FactDocument[],
    { session }: Pick<Transaction, 'session'>,
  ): Promise<readonly FactDocument[]> {
    const idOf = (search: FactDocument) =>
      cellId({ family: 'searches', of: textOf(search) ?? '' }, spanWith(shopDays.dayOf(search.at), 1));
    const ids = [...new Set(searches.map(idOf))];
    const found = await cells.find({ _id: { $in: ids } }, { session, projection: { _id: 1 } }).toArray();
    const admitted = new Set(found.map(({ _id }) => _id));
    const newOnes = searches.filter((search) => !admitted.has(idOf(search)));
    for (const [day, ofDay] of Map.groupBy(newOnes, ({ at }) => shopDays.dayOf(at))) {
      const left = limits.perDay - (await textsOf(day, { session }));
      for (const id of [...new Set(ofDay.map(idOf))].slice(0, Math.max(0, left))) admitted.add(id);
    }
    return searches.filter((search) => admitted.has(idOf(search)));
  }

  async function textsOf(day: DayIndex, { session }: Pick<Transaction, 'session'>): Promise<number> {
    const prefix = cellPrefix('searches', spanWith(day, 1));
    const _id = { $gt: prefix, $lt: afterPrefix(prefix) };
    return cells.countDocuments({ _id, keptUntil: { $exists: true } }, { session, limit: limits.perDay });
  }

  /** Returns the searches that get the flag `shown`: searches of the batch, and earlier ones. */
  return async (batch: readonly FactDocument[], transaction: Pick<Transaction, 'session'>): Promise<FlaggedFact[]> => {
    const withText = batch.filter((fact) => textOf(fact) !== null && !fact.flags?.includes('shown'));
    if (withText.length === 0) return [];
    const { shown, become } = await note(
      Map.groupBy(withText, (fact) => textOf(fact) ?? ''),
      transaction,
    );
    const earlier =
      become.size === 0
        ? []
        : await facts
            .find(
              {
                kind: holdsSearchText,
                'data.words': { $in: [...become] },
                pending: { $ne: true },
                flags: { $ne: 'shown' },
              },
              { session: transaction.session, hint: 'of_text' },
            )
            .toArray();
    const ofBatch = withText.filter((fact) => shown.has(textOf(fact) ?? '') || become.has(textOf(fact) ?? ''));
    const admitted = await withinDays([...earlier, ...ofBatch], transaction);
    return admitted.map((fact) => ({ fact, flags: ['shown'] }));
  };
}
