import { collectionOf, defineCollection, type Database, type Transaction } from '@storefront/mongo';
import { z } from 'zod';

/** The last number of a series of one year, keyed by its beginning, such as `INV-2026`. */
export const numberSeries = defineCollection(
  'series',
  { last: z.int(), lastAt: z.date() },
  { sharding: { unsharded: 'one document for each series and year' } },
);

/** Numbers that a transaction has taken from a series. */
export interface TakenNumbers {
  /** The first of them. */
  readonly first: number;
  /** The time of issue for these numbers: now, but not before that of the number before. */
  readonly at: Date;
}

export type Series = ReturnType<typeof openSeries>;

/** The numbers of invoices and credit notes. They have no gap and no double, as the transaction that uses them takes them. */
export function openSeries(database: Database) {
  const series = collectionOf(database, numberSeries);
  return {
    /**
     * Takes the next numbers. Of two transactions that take numbers of one series, one starts again; so it is the first thing that
     * a transaction does. It must give back the numbers that it does not use.
     */
    async take(name: string, count: number, now: Date, { session }: Transaction): Promise<TakenNumbers> {
      const taken = await series.findOneAndUpdate(
        { _id: name },
        { $inc: { last: count }, $max: { lastAt: now } },
        { upsert: true, returnDocument: 'after', session },
      );
      if (!taken) throw new Error(`${name} has no numbers`);
      return { first: taken.last - count + 1, at: taken.lastAt };
    },

    /** Gives back the last numbers that the same transaction has taken. */
    async giveBack(name: string, count: number, { session }: Transaction): Promise<void> {
      if (count > 0) await series.updateOne({ _id: name }, { $inc: { last: -count } }, { session });
    },
  };
}
