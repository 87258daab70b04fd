import { createHmac } from 'node:crypto';
import { networkOf } from '@storefront/http';
import { batch, collectionOf, date, byId, defineCollection, integer } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { LRUCache } from 'lru-cache';
import { nameOf, type Person } from '../domain/facts/person.ts';

/** How many events were sent on a day, by a keyed hash of the day and of who sent them. */
export const eventCounts = defineCollection(
  'event_counts',
  { count: integer(), expiresAt: date() },
  { sharding: byId, indexes: { expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
);

/** How many events clients may send a day, so that none of them keeps the counting busy. */
export interface EventCounts {
  /**
   * Counts events of a visitor, null for an unknown one, and of an address. Returns how many of them there may be: never more
   * than are left, however many requests there are at once. For a client that sends again, this instance reserves some ahead: up to a hundredth of
   * a day's, which are refused at other instances, and lost with this one.
   */
  admit(by: Person | null, ip: string, events: number): Promise<number>;
  /** The same for texts that an address may bring, whoever is behind it. */
  admitTexts(ip: string, texts: number): Promise<number>;
}

const dayMs = 24 * 60 * 60_000;
/** Many people may be behind one address. */
const perNetwork = 20;
// A count that is lost with a primary lets a client send more, so it need not wait for others to have it.
const [writeConcern, readConcern] = [{ w: 1 }, 'local'] as const;

/** How many visitors and networks are remembered of whom events were taken ahead. */
const remembered = 10_000;

interface Ahead {
  left: number;
  /** How many were reserved the last time. */
  requested: number;
}

/** Visitors and networks are stored as hashes keyed by `secret`, for two days. */
export function openEventCounts(
  { database, now }: Pick<Resources, 'database' | 'now'>,
  { secret, perDay, textsPerDay }: { readonly secret: string; readonly perDay: number; readonly textsPerDay: number },
): EventCounts {
  const collection = collectionOf(database, eventCounts);

  /** Counts events of one moment in one write. Returns how many were counted before each of them, or more. */
  const count = batch<{ readonly _id: string; readonly events: number; readonly expiresAt: Date }, number>({
    // Two at once would each take the other's events for earlier ones, and let in fewer than are left.
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
      // From the end: what other requests and instances added meanwhile counts as before.
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

  /** What was reserved ahead, by the day and the visitor or network. */
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
    // Twice as many each time, so that who sends once or twice loses next to nothing.
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
