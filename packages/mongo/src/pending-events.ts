import type { Event } from '@storefront/contracts';
import type mongoose from 'mongoose';
import type { Collection } from './collections.ts';
import { pendingIndex } from './define-collection.ts';
import type { Stored } from './stored.ts';

/** A collection whose documents have outboxes. */
export type Source = Collection<Stored>;

/** One event in the outbox of a document. */
export interface PendingEvent {
  readonly source: Source;
  readonly documentId: string;
  readonly event: Event;
}

/** The size of the outboxes of some collections. */
export interface PendingSize {
  /** The number of documents with unpublished events; at most 10,000 are counted in each collection. */
  readonly depth: number;
  /** The largest outbox among these documents, in bytes. */
  readonly largestBytes: number;
}

// The condition of the partial index: the outbox is not empty.
const pending = { 'outbox.0': { $exists: true } } as const;
// A hint holds only for the first collection of a command. In the others MongoDB takes the index because it begins with
// this field.
const pendingOfAnyType = { ...pending, 'outbox.type': { $gt: '' } } as const;
// Events that a failover could roll back must not be published, so reads use `majority`. They use the primary, because
// a secondary may lag behind.
const reading = { hint: pendingIndex, readConcern: { level: 'majority' }, readPreference: 'primary' } as const;
const pageEvents = 500;
const pageBytes = 4_000_000;
const countAtMost = 10_000;

/** Returns the collections that have events in their outboxes. All are asked by one command. */
export async function findPendingSources(sources: readonly Source[]): Promise<readonly Source[]> {
  const found = await aggregateEach<{ name: string }>(sources, ({ collectionName }) => [
    { $match: pendingOfAnyType },
    { $limit: 1 },
    { $project: { _id: 0, name: { $literal: collectionName } } },
  ]);
  return sources.filter(({ collectionName }) => found.some(({ name }) => name === collectionName));
}

/** Returns the types of all events in a collection's outboxes. Each type takes one step in the index. */
export async function readPendingTypes(source: Source): Promise<readonly string[]> {
  const types: string[] = [];
  for (;;) {
    const last = types.at(-1) ?? '';
    // No sort is given, because MongoDB would sort in memory: the named index already gives its order.
    const found = await source.findOne<Stored>(
      { ...pending, 'outbox.type': { $gt: last } },
      { ...reading, projection: { 'outbox.type': 1 } },
    );
    const [next] = (found?.outbox ?? [])
      .map(({ type }) => type)
      .filter((type) => type > last)
      .toSorted();
    if (next === undefined) return types;
    types.push(next);
  }
}

/**
 * Reads events of one type in a collection's outboxes: from the documents with the lowest ids after `after`, in the
 * order of each outbox. The page ends with the document that brings it to 500 events or 4 MB. `next` is the id after
 * which the next page begins, or null at the end.
 */
export async function readPendingPage(
  source: Source,
  type: string,
  after: string | null,
): Promise<{ readonly events: readonly PendingEvent[]; readonly next: string | null }> {
  const ofType = { $filter: { input: '$outbox', cond: { $eq: ['$$this.type', type] } } };
  const cursor = source
    .find<Stored & { bytes: number }>(
      { ...pending, 'outbox.type': type, ...(after === null ? {} : { _id: { $gt: after } }) },
      { ...reading, projection: { outbox: ofType, bytes: { $bsonSize: { outbox: '$outbox' } } } },
    )
    .sort({ _id: 1 })
    .limit(pageEvents);
  const events: PendingEvent[] = [];
  let documents = 0;
  let bytes = 0;
  try {
    for await (const document of cursor) {
      documents += 1;
      bytes += document.bytes;
      for (const event of document.outbox) events.push({ source, documentId: document._id, event });
      if (events.length >= pageEvents || bytes >= pageBytes || documents === pageEvents)
        return { events, next: document._id };
    }
    return { events, next: null };
  } finally {
    await cursor.close();
  }
}

/** Measures all collections by one command. */
export async function measurePending(sources: readonly Source[]): Promise<PendingSize> {
  const measured = await aggregateEach<PendingSize>(sources, () => [
    { $match: pendingOfAnyType },
    { $limit: countAtMost },
    { $group: { _id: null, depth: { $sum: 1 }, largestBytes: { $max: { $bsonSize: { outbox: '$outbox' } } } } },
  ]);
  return {
    depth: measured.reduce((sum, { depth }) => sum + depth, 0),
    largestBytes: Math.max(0, ...measured.map(({ largestBytes }) => largestBytes)),
  };
}

/** Runs a pipeline for each of the collections, which are of one database, and returns what all of them find. */
async function aggregateEach<Found extends mongoose.mongo.Document>(
  sources: readonly Source[],
  pipelineOf: (source: Source) => mongoose.mongo.Document[],
): Promise<readonly Found[]> {
  const [first, ...others] = sources;
  if (!first) return [];
  const unions = others.map((source) => ({
    $unionWith: { coll: source.collectionName, pipeline: pipelineOf(source) },
  }));
  return first.aggregate<Found>([...pipelineOf(first), ...unions], reading).toArray();
}
