import { collectionOf, defineCollection, type Database, type Transaction } from '@storefront/mongo';
import { z } from 'zod';

/** The last used number of each series. The key is the name of the series, such as `INV-2026`. */
export const numberSeries = defineCollection(
  'series',
  { last: z.int(), lastAt: z.date() },
  { sharding: { unsharded: 'one document for each series and year' } },
);

/** Numbers that a transaction has taken from a series. */
export interface TakenNumbers {
  /** The first taken number; the others follow it. */
  readonly first: number;
  /** The time of issue for these numbers: now, but never earlier than the time of the number before. */
  readonly at: Date;
}

export type Series = ReturnType<typeof openSeries>;

/**
 * The number series of invoices and credit notes. Numbers have no gaps and no duplicates, because they are taken in the
 * same transaction that uses them.
 */
export function openSeries(database: Database) {
  const series = collectionOf(database, numberSeries);
  return {
    /**
     * Takes the next `count` numbers. If two transactions take numbers of the same series, one of them has to start
     * again; so a transaction should take its numbers first. It must give back the numbers that it does not use.
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

    /** Gives back the last `count` numbers that this transaction has taken. */
    async giveBack(name: string, count: number, { session }: Transaction): Promise<void> {
      if (count > 0) await series.updateOne({ _id: name }, { $inc: { last: -count } }, { session });
    },
  };
}
