import { newId, type PageOf, type Slice, type StateOf } from '@storefront/contracts';
import {
  collectionOf,
  defineCollection,
  isDuplicate,
  openCollections,
  readPage,
  withId,
  type CollectionDefinition,
  type Database,
} from '@storefront/mongo';
import { z } from 'zod';
import type { Span, Watched } from '../domain/uptime.ts';

/** A stretch of time in which a service was not ready. */
const storedIncident = z.object({
  id: z.string(),
  service: z.string(),
  reason: z.string(),
  startedAt: z.date(),
  /** null while the incident lasts. */
  endedAt: z.date().nullable(),
});
export type Incident = StateOf<typeof storedIncident>;

export interface History {
  /**
   * Records a look at the service. Where the last look was longer than `gapMs` ago, the time between is stored as a
   * gap.
   */
  looked(service: string, at: Date, gapMs: number): Promise<void>;
  /**
   * Opens an incident unless the service has an open one. Returns whether this call opened the incident. When several
   * instances call at once, only one of them gets true.
   */
  open(service: string, since: Date, reason: string): Promise<boolean>;
  /** Ends the open incident. Returns whether there was one. */
  close(service: string, at: Date): Promise<boolean>;
  /** Incidents, newest first. */
  list(filter: { service?: string | undefined }, slice: Slice): Promise<PageOf<Incident>>;
  /** The outages and gaps of each service since `from`. */
  watched(filter: { service?: string | undefined }, from: Date): Promise<Map<string, Watched>>;
}

const incidentsCollection = defineCollection(
  'incidents',
  {
    ...storedIncident.shape,
    // The name of the service while the incident lasts. The index is unique, so a service never has two open incidents.
    openFor: z.string().optional(),
  },
  {
    sharding: { unsharded: 'one document for each time in which a service was away' },
    indexes: {
      openFor_1: { keys: { openFor: 1 }, unique: true, sparse: true },
      'startedAt_-1__id_-1': { keys: { startedAt: -1, _id: -1 } },
      'service_1_startedAt_-1__id_-1': { keys: { service: 1, startedAt: -1, _id: -1 } },
      endedAt_1: { keys: { endedAt: 1 } },
    },
  },
);

const servicesCollection = defineCollection(
  'services',
  { since: z.date(), lookedAt: z.date() },
  { sharding: { unsharded: 'one document for each service' } },
);

const gapsKeptSeconds = 31 * 24 * 60 * 60;

const gapsCollection = defineCollection(
  'gaps',
  { service: z.string(), from: z.date(), to: z.date() },
  {
    sharding: { unsharded: 'one document for each time in which nobody looked' },
    indexes: { to_1: { keys: { to: 1 }, expireAfterSeconds: gapsKeptSeconds } },
  },
);

/** All collections of the health service. */
export const definitions: readonly CollectionDefinition[] = [incidentsCollection, servicesCollection, gapsCollection];

/** Opens the store of incidents and looks, in the service's own database. */
export async function openHistory(database: Database): Promise<History> {
  await openCollections(database, definitions);
  const incidents = collectionOf(database, incidentsCollection);
  const services = collectionOf(database, servicesCollection);
  const gaps = collectionOf(database, gapsCollection);

  async function close(service: string, at: Date): Promise<boolean> {
    const { modifiedCount } = await incidents.updateOne(
      { openFor: service },
      // Another instance may have recorded the start with a later time than this end. An incident must not end before
      // it starts.
      [{ $set: { endedAt: { $max: [at, '$startedAt'] } } }, { $unset: 'openFor' }],
    );
    return modifiedCount === 1;
  }

  return {
    close,
    async looked(service, at, gapMs) {
      // Only one of several instances gets each old value, so a gap is stored only once.
      const before = await services.findOneAndUpdate(
        { _id: service },
        { $max: { lookedAt: at }, $setOnInsert: { since: at } },
        { upsert: true, returnDocument: 'before' },
      );
      if (before === null || at.getTime() - before.lookedAt.getTime() <= gapMs) return;
      await gaps.insertOne({ _id: `${service}:${before.lookedAt.getTime()}`, service, from: before.lookedAt, to: at });
      await close(service, before.lookedAt);
    },
    async open(service, since, reason) {
      try {
        const incident = { _id: newId('inc'), service, reason, startedAt: since, endedAt: null, openFor: service };
        await incidents.insertOne(incident);
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },
    list({ service }, slice) {
      const filter = service === undefined ? {} : { service };
      return readPage(incidents, { filter, order: { startedAt: -1, _id: -1 }, slice }, withId);
    },
    async watched({ service }, from) {
      const named = service === undefined ? {} : { service };
      const [known, outages, unwatched] = await Promise.all([
        services.find(service === undefined ? {} : { _id: service }).toArray(),
        incidents.find({ ...named, $or: [{ endedAt: null }, { endedAt: { $gt: from } }] }).toArray(),
        gaps.find({ ...named, to: { $gt: from } }).toArray(),
      ]);
      const spans = (all: readonly { service: string; from: Date; to: Date | null }[], name: string): Span[] =>
        all.filter((entry) => entry.service === name);
      const lasting = outages.map((outage) => ({ ...outage, from: outage.startedAt, to: outage.endedAt }));
      return new Map(
        known.map(({ _id, since }) => [_id, { since, outages: spans(lasting, _id), gaps: spans(unwatched, _id) }]),
      );
    },
  };
}
