import { newId } from '@storefront/contracts';
import { collectionOf, isDuplicate } from '@storefront/service-kit';
import type { Database, Position } from '@storefront/service-kit';
import type { Span, Watched } from '../domain/uptime.ts';

export interface Incident {
  readonly _id: string;
  readonly service: string;
  readonly reason: string;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  /** The service's name while the incident lasts; unique, so that there is never a second one. */
  readonly openFor?: string;
}

interface WatchedService {
  readonly _id: string;
  readonly since: Date;
  readonly lookedAt: Date;
}

interface Gap {
  readonly _id: string;
  readonly service: string;
  readonly from: Date;
  readonly to: Date;
}

export interface History {
  /** Notes that somebody looks at the service; the time since the last look is a gap where it is longer than `gapMs`. */
  looked(service: string, at: Date, gapMs: number): Promise<void>;
  /** Opens an incident unless one is open. Answers whether this call opened it, with several instances only one's does. */
  open(service: string, since: Date, reason: string): Promise<boolean>;
  /** Ends the incident that is open, if there is one. */
  close(service: string, at: Date): Promise<boolean>;
  /** Up to `count` incidents, the newest first, after `position` (start in milliseconds, id). */
  list(filter: { service?: string | undefined }, count: number, position?: Position): Promise<Incident[]>;
  /** What is known of each service since `from`. */
  watched(filter: { service?: string | undefined }, from: Date): Promise<Map<string, Watched>>;
}

const gapsKeptSeconds = 31 * 24 * 60 * 60;

/** Keeps incidents, and when somebody was looking, in the service's own database. */
export async function openHistory(database: Database): Promise<History> {
  const incidents = collectionOf<Incident>(database, 'incidents');
  const services = collectionOf<WatchedService>(database, 'services');
  const gaps = collectionOf<Gap>(database, 'gaps');
  await Promise.all([
    incidents.createIndex({ openFor: 1 }, { unique: true, sparse: true }),
    incidents.createIndex({ startedAt: -1, _id: -1 }),
    incidents.createIndex({ service: 1, startedAt: -1, _id: -1 }),
    incidents.createIndex({ endedAt: 1 }),
    gaps.createIndex({ to: 1 }, { expireAfterSeconds: gapsKeptSeconds }),
  ]);

  async function close(service: string, at: Date): Promise<boolean> {
    const { modifiedCount } = await incidents.updateOne(
      { openFor: service },
      // Another instance may have seen it begin later than this one saw it end.
      [{ $set: { endedAt: { $max: [at, '$startedAt'] } } }, { $unset: 'openFor' }],
    );
    return modifiedCount === 1;
  }

  return {
    close,
    async looked(service, at, gapMs) {
      // Of several instances only one sees each old value, so a gap is noted once.
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
    list({ service }, count, position) {
      const filter = service === undefined ? {} : { service };
      const [startedAt, id] = position ?? [];
      const after =
        startedAt === undefined
          ? {}
          : {
              $or: [
                { startedAt: { $lt: new Date(startedAt) } },
                { startedAt: new Date(startedAt), _id: { $lt: String(id) } },
              ],
            };
      return incidents
        .find({ ...filter, ...after })
        .sort({ startedAt: -1, _id: -1 })
        .limit(count)
        .toArray();
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
