import type { Event } from '@storefront/contracts';
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

/** How much the outboxes of some collections hold. */
export interface PendingSize {
  /** Documents with events that are not published yet; beyond 10,000 of a collection they are not counted. */
  readonly depth: number;
  /** The largest outbox among these documents, in bytes. */
  readonly largestBytes: number;
}

// The outbox has an element at all: what the partial index holds.
const pending = { 'outbox.0': { $exists: true } } as const;
// What a failover rolls back must never have been published; and a secondary may lag behind.
const reading = { hint: pendingIndex, readConcern: { level: 'majority' }, readPreference: 'primary' } as const;
const pageEvents = 500;
const pageBytes = 4_000_000;
const countAtMost = 10_000;

/** The types of the events in the outboxes of a collection: each is found by one step in the index. */
export async function readPendingTypes(source: Source): Promise<readonly string[]> {
  const types: string[] = [];
  for (;;) {
    const last = types.at(-1) ?? '';
    // Without a sort, which MongoDB would do in memory: the index that is named gives its own order.
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
 * Events of a type in the outboxes of a collection: those of the documents with the lowest ids after `after`, in the
 * order of their outboxes. Ends with the document that makes it 500 events or 4 MB. `next` is where the remaining ones begin, or
 * null.
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

export async function measurePending(sources: readonly Source[]): Promise<PendingSize> {
  const measured = await Promise.all(
    sources.map((source) =>
      source
        .aggregate<PendingSize>(
          [
            { $match: pending },
            { $limit: countAtMost },
            {
              $group: {
                _id: null,
                depth: { $sum: 1 },
                largestBytes: { $max: { $bsonSize: { outbox: '$outbox' } } },
              },
            },
          ],
          { hint: pendingIndex },
        )
        .next(),
    ),
  );
  return {
    depth: measured.reduce((sum, found) => sum + (found?.depth ?? 0), 0),
    largestBytes: Math.max(0, ...measured.map((found) => found?.largestBytes ?? 0)),
  };
}
