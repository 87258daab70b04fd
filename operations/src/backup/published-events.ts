import type { Event } from '@storefront/contracts';
import { ConfigError } from '@storefront/process';
import mongoose from 'mongoose';
import type { Driver } from './databases.ts';
import type { ClusterTime } from './snapshot.ts';

const { Timestamp } = mongoose.mongo;

interface Change {
  readonly _id: { readonly _data: string };
  readonly clusterTime: ClusterTime;
  readonly inserted?: readonly Event[];
  readonly updated?: readonly { readonly k: string; readonly v: unknown }[];
}

const historyLost = 286;
const reachesEndWithinMs = 120_000;

/**
 * The events that were written into outboxes from `since` (seconds since 1970) up to and including `until`. Each event
 * comes once, in the order of writing. They are read from MongoDB's own log of changes, which still has them after the
 * relay removed them from the outboxes. Throws a ConfigError where the log does not reach back to `since`.
 */
export async function* readPublishedEvents(
  client: Driver,
  { databases, since, until }: { databases: readonly string[]; since: number; until: ClusterTime },
): AsyncGenerator<Event> {
  // The position in the log after all changes of the moment `until`. Positions of a change stream can be compared as
  // texts.
  const end = await positionAfter(client, until);
  const stream = client.watch(changesOfOutboxes(databases), {
    startAtOperationTime: new Timestamp({ t: since, i: 0 }),
    batchSize: 1_000,
  });
  const seen = new Set<string>();
  try {
    let deadline = performance.now() + reachesEndWithinMs;
    for (;;) {
      const change = (await stream.tryNext()) as Change | null;
      if (change === null) {
        if (positionOf(stream.resumeToken) >= end) return;
        if (performance.now() > deadline)
          throw new Error("MongoDB's log of changes does not reach the backup's moment");
        continue;
      }
      deadline = performance.now() + reachesEndWithinMs;
      if (change.clusterTime.greaterThan(until)) return;
      for (const event of eventsOf(change)) {
        if (seen.has(event.id)) continue;
        seen.add(event.id);
        yield event;
      }
    }
  } catch (error) {
    if ((error as { code?: unknown }).code !== historyLost) throw error;
    throw new ConfigError(
      `MongoDB's log of changes does not reach back to ${new Date(since * 1_000).toISOString()}: make it larger ` +
        '(replSetResizeOplog), or ask for fewer minutes of events (--events).',
    );
  } finally {
    await stream.close();
  }
}

async function positionAfter(client: Driver, time: ClusterTime): Promise<string> {
  const next = new Timestamp({ t: time.getHighBits(), i: time.getLowBits() + 1 });
  const stream = client.watch([{ $match: { operationType: 'none' } }], { startAtOperationTime: next });
  try {
    await stream.tryNext();
    return positionOf(stream.resumeToken);
  } finally {
    await stream.close();
  }
}

function positionOf(token: unknown): string {
  return (token as { readonly _data: string })._data;
}

function changesOfOutboxes(databases: readonly string[]): mongoose.mongo.Document[] {
  // An update lists the fields that it changed: a whole outbox, or single elements of it.
  const isOutbox = { $regexMatch: { input: '$$this.k', regex: /^outbox(\.\d+)?$/ } };
  return [
    { $match: { 'ns.db': { $in: databases }, operationType: { $in: ['insert', 'replace', 'update'] } } },
    {
      $project: {
        clusterTime: 1,
        inserted: '$fullDocument.outbox',
        updated: {
          $filter: { input: { $objectToArray: { $ifNull: ['$updateDescription.updatedFields', {}] } }, cond: isOutbox },
        },
      },
    },
    { $match: { $or: [{ 'inserted.0': { $exists: true } }, { 'updated.0': { $exists: true } }] } },
  ];
}

function eventsOf({ inserted = [], updated = [] }: Change): Event[] {
  return [...inserted, ...updated.flatMap(({ v }) => v)].filter(isEvent);
}

// When an element is removed, MongoDB moves the later elements up and logs only their changed parts. Such parts are no
// complete events.
function isEvent(value: unknown): value is Event {
  return typeof value === 'object' && value !== null && 'specversion' in value && 'id' in value;
}
