import { collectionOf, type Collection, type Database, type Transaction } from '@storefront/mongo';
import { monthsAfter } from '../../domain/facts/retention.ts';
import { textOf } from '../../domain/facts/texts.ts';
import { holdsSearchText, type FactDocument } from '../facts.ts';
import { spanWith } from '../../domain/roll-ups/split-interval.ts';
import type { DayIndex, ShopDays } from '../../domain/roll-ups/shop-days.ts';
import { afterPrefix, cellId, cellPrefix, rollUpCells, searchTexts } from './collections.ts';
import type { FlaggedFact } from './find-flags.ts';

/** Which texts reports show, and how many. */
export interface TextLimits {
  /** How many different people must have searched for a text. */
  readonly people: number;
  /** How many different texts a day has sums of, and how many new ones are noted a day. */
  readonly perDay: number;
  /** How long texts are kept: as long as facts. */
  readonly months: number;
}

type TextDocument = { readonly people: readonly number[]; readonly isShown: boolean };

/**
 * Notes who searches for which text, and flags the searches whose text is to be shown: new ones, and the earlier ones once enough people
 * have searched for it. Beyond the limits of a day a text stays among the others. Only for the holder of the counting job.
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

  /** Adds the people of new searches to their texts. Returns the texts to be shown, and which of them were not before. */
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

  /** Those of the searches whose text has sums of their day, or still may have. */
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

  /** The searches of the batch, and earlier ones, that are to be flagged. */
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
