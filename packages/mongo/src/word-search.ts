import type mongoose from 'mongoose';
import type { Collection, Filter } from './collections.ts';

interface WordSearchQuery<Document> {
  /** What all searched documents have in common. */
  readonly scope?: Filter<Document>;
  /** The array field that has a document's words. */
  readonly field: string;
  /** The index of that field, after the fields of `scope`. */
  readonly hint: string;
  /** The beginnings of words. A document matches if each of them begins one of its words. */
  readonly beginnings: readonly string[];
  /** Up to how many documents may be read and sorted in memory. */
  readonly few: number;
}

interface WordSearch<Document> {
  /** One condition for each beginning, the rarest first, since the index is read by the first condition. */
  readonly conditions: Filter<Document>[];
  /**
   * Whether at most `few` documents match the rarest beginning, so that all of them are read by the index of words. If
   * more match, reading the list in its own order soon fills a page.
   */
  readonly isRare: boolean;
}

/** Plans a search for documents by the beginnings of their words. Only the index of words is read, to count matches. */
export async function planWordSearch<Document extends mongoose.mongo.Document>(
  collection: Collection<Document>,
  { scope, field, hint, beginnings, few }: WordSearchQuery<Document>,
): Promise<WordSearch<Document>> {
  const counted = await Promise.all(
    beginnings.map(async (beginning) => {
      const condition = beginsWith<Document>(field, beginning);
      const count = await collection.countDocuments({ ...scope, ...condition }, { hint, limit: few + 1 });
      return { condition, count };
    }),
  );
  const rarestFirst = counted.toSorted((one, other) => one.count - other.count);
  const [rarest] = rarestFirst;
  return {
    conditions: rarestFirst.map(({ condition }) => condition),
    isRare: rarest !== undefined && rarest.count <= few,
  };
}

/** The condition is a range, not a pattern, so that no character of a query has a special meaning. */
function beginsWith<Document>(field: string, beginning: string): Filter<Document> {
  return { [field]: { $elemMatch: { $gte: beginning, $lt: `${beginning}\u{10ffff}` } } } as Filter<Document>;
}
