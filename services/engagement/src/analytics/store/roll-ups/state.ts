import { collectionOf, type Database } from '@storefront/mongo';
import { rollUpState } from './collections.ts';

const id = 'roll-ups';

/** What is known of the roll-ups as a whole. */
export interface RollUpState {
  /** The time zone of their days. It stays what it was when they were begun. */
  readonly zone: string;
  /** Notes that everything that was published before this moment is stored. */
  noteHeartbeat(time: Date): Promise<void>;
  /** The latest moment that was noted, or when the roll-ups were begun. */
  lastHeartbeat(): Promise<Date>;
}

/** Begins the roll-ups in `zone` where they were not yet. */
export async function openRollUpState(
  { database, now }: { readonly database: Database; readonly now: () => Date },
  zone: string,
): Promise<RollUpState> {
  const collection = collectionOf(database, rollUpState);
  const begin = () =>
    collection.findOneAndUpdate(
      { _id: id },
      { $setOnInsert: { zone, begunAt: now() } },
      { upsert: true, returnDocument: 'after' },
    );
  const begun = await begin();
  return {
    zone: begun?.zone ?? zone,
    async noteHeartbeat(time) {
      await collection.updateOne({ _id: id }, { $max: { heartbeatAt: time } });
    },
    async lastHeartbeat() {
      const { heartbeatAt, begunAt = now() } = (await collection.findOne({ _id: id })) ?? (await begin()) ?? {};
      return heartbeatAt ?? begunAt;
    },
  };
}
