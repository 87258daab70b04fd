import { collectionOf, type Database } from '@storefront/mongo';
import { rollUpState } from './collections.ts';

const id = 'roll-ups';

/** State of the roll-ups as a whole. */
export interface RollUpState {
  /** The time zone of the days of the roll-ups. It never changes, even when the configured zone does. */
  readonly zone: string;
  /** Stores that everything published before this moment has been stored. */
  noteHeartbeat(time: Date): Promise<void>;
  /**
   * The latest moment passed to `noteHeartbeat`. Before the first heartbeat, the moment when the roll-ups were begun.
   */
  lastHeartbeat(): Promise<Date>;
}

/** Reads the state. Where there is none yet, the roll-ups begin with the time zone `zone`. */
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
