import { collectionOf, isDuplicate } from '@storefront/service-kit';
import type { Database } from '@storefront/service-kit';
import type { Keyring } from '../domain/keyring.ts';

interface RingDocument extends Keyring {
  _id: 'ring';
  version: number;
}

export interface Keyrings {
  load(): Promise<Keyring | null>;
  /** Keeps this ring unless there is one already; answers the one that is kept. */
  begin(ring: Keyring): Promise<Keyring>;
  change(decide: (ring: Keyring) => Keyring): Promise<Keyring>;
}

/** The one ring of signing keys: a single document, so that any change of it is one write. */
export function createKeyrings(database: Database): Keyrings {
  const rings = collectionOf<RingDocument>(database, 'signing_keys');
  const read = () => rings.findOne({ _id: 'ring' });
  return {
    load: read,
    async begin(ring) {
      try {
        await rings.insertOne({ ...ring, _id: 'ring', version: 1 });
        return ring;
      } catch (error) {
        const kept = isDuplicate(error) ? await read() : null;
        if (!kept) throw error;
        return kept;
      }
    },
    async change(decide) {
      for (;;) {
        const before = await read();
        if (!before) throw new Error('There are no signing keys yet: start the service once');
        const { keys } = decide(before);
        const { version } = before;
        const saved = await rings.updateOne(
          { _id: 'ring', version },
          { $set: { keys: [...keys], version: version + 1 } },
        );
        if (saved.matchedCount === 1) return { keys };
      }
    },
  };
}
