import { createHmac } from 'node:crypto';
import { networkOf } from '@storefront/http';
import { batch, collectionOf, byId, defineCollection } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { nameOf, type Person } from '../domain/facts/person.ts';

/** How many events were sent on a day. The id is a keyed hash of the day and the sender. */
export const eventCounts = defineCollection(
  'event_counts',
  { count: z.int(), expiresAt: z.date() },
  { sharding: byId, indexes: { expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
);

/** Limits how many events a client may send a day, so that no client can overload the counting. */
export interface EventCounts {
  /**
   * Counts events of a visitor (null for an unknown visitor) and of an address. Returns how many of these events are
   * allowed. The result never exceeds what is left of the limit, however many requests run at once. For a client that
   * sends again, this instance reserves some events in advance, up to a hundredth of the limit of a day. Other
   * instances refuse the reserved events. Reserved events that are not used are lost when this instance stops.
   */
  admit(by: Person | null, ip: string, events: number): Promise<number>;
  /** Like `admit`, but for searched texts. The limit of texts is for the address only, whoever sends the texts. */
  admitTexts(ip: string, texts: number): Promise<number>;
}

const dayMs = 24 * 60 * 60_000;
/** The limit of a network is this many times the limit of a visitor, because many people may use one address. */
const perNetwork = 20;
// A count may be lost when the primary fails. Then a client can only send a few more events. So the write does not wait
// for other members of the replica set.
const [writeConcern, readConcern] = [{ w: 1 }, 'local'] as const;

/** For how many visitors and networks the reserved events are remembered. */
const remembered = 10_000;

interface Ahead {
  left: number;
  /** How many events were reserved last time. */
  requested: number;
}

/** Opens the counts of events. Visitors and networks are stored for two days, as hashes keyed by `secret`. */
export function openEventCounts(
  { database, now }: Pick<Resources, 'database' | 'now'>,
  { secret, perDay, textsPerDay }: { readonly secret: string; readonly perDay: number; readonly textsPerDay: number },
): EventCounts {
  const collection = collectionOf(database, eventCounts);

  /**
   * Counts the events of several requests in one write. For each request, returns how many events were counted before
   * it. Events that other instances counted in the meantime may be included.
   */
  const count = batch<{ readonly _id: string; readonly events: number; readonly expiresAt: Date }, number>({
    // Two writes at once would each count the other's events as earlier ones. Then fewer events would be allowed than
    // are left.
    concurrency: 1,
    async work(added) {
      const byId = Map.groupBy(added, ({ _id }) => _id);
      const writes = [...byId].map(([_id, each]) => {
        const events = each.reduce((sum, one) => sum + one.events, 0);
        const expiresAt = each[0]?.expiresAt ?? now();
        const update = { $inc: { count: events }, $setOnInsert: { expiresAt } };
        return { updateOne: { filter: { _id }, update, upsert: true } };
      });
      await collection.bulkWrite(writes, { ordered: false, writeConcern });
      const found = await collection.find({ _id: { $in: [...byId.keys()] } }, { readConcern }).toArray();
      const counted = new Map(found.map((each) => [each._id, each.count]));
      // Counted from the last request back. Events that other requests and instances added in the meantime count as
      // earlier ones.
      return added
        .toReversed()
        .map(({ _id, events }) => {
          const before = (counted.get(_id) ?? events) - events;
          counted.set(_id, before);
          return before;
        })
        .toReversed();
    },
  });

  /** The events reserved in advance, by day and by visitor or network. */
  const aheadOf = new LRUCache<string, Ahead>({ max: remembered });

  async function admitTo(name: string, limit: number, events: number): Promise<number> {
    const day = Math.floor(now().getTime() / dayMs);
    const ahead = aheadOf.get(`${day} ${name}`) ?? { left: 0, requested: 0 };
    aheadOf.set(`${day} ${name}`, ahead);
    const takeLeft = (wanted: number) => {
      const taken = Math.min(wanted, ahead.left);
      ahead.left -= taken;
      return taken;
    };
    const fromLeft = takeLeft(events);
    if (fromLeft === events) return events;
    const missing = events - fromLeft;
    // Reservations begin small and grow with each request, so a client that sends only once or twice loses almost
    // nothing.
    const requested = missing + Math.min(ahead.requested, Math.floor(limit / 100));
    ahead.requested = requested;
    const _id = createHmac('sha256', secret).update(`events\0${name}\0${day}`).digest('base64url');
    const before = await count({ _id, events: requested, expiresAt: new Date((day + 2) * dayMs) });
    ahead.left += Math.min(requested, Math.max(0, limit - before));
    return fromLeft + takeLeft(missing);
  }

  return {
    async admit(by, ip, events) {
      if (events === 0) return 0;
      const admitted = await Promise.all([
        admitTo(`network\0${networkOf(ip)}`, perDay * perNetwork, events),
        by === null ? events : admitTo(`person\0${nameOf(by)}`, perDay, events),
      ]);
      return Math.min(...admitted);
    },

    admitTexts: async (ip, texts) => (texts === 0 ? 0 : admitTo(`texts\0${networkOf(ip)}`, textsPerDay, texts)),
  };
}
