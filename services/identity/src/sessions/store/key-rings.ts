import { changed, unchanged } from '@storefront/contracts';
import { defineCollection, openRepository, versioned, type Database } from '@storefront/mongo';
import { keyRing, type KeyRing } from '../domain/key-ring.ts';

export const signingKeys = defineCollection(
  'signing_keys',
  { ...versioned, ...keyRing.shape },
  { sharding: { unsharded: 'one document' } },
);

/** The one ring of signing keys: a single document, so that each change of it is one atomic write. */
export interface KeyRings {
  load(): Promise<KeyRing | null>;
  /** Saves this ring unless there already is a ring. Returns the stored ring. */
  create(ring: KeyRing): Promise<KeyRing>;
  change(decide: (ring: KeyRing) => KeyRing): Promise<KeyRing>;
}

const id = 'ring';

export function openKeyRings(database: Database): KeyRings {
  const repository = openRepository<KeyRing & { id: string }>(signingKeys, { database });
  return {
    load: async () => (await repository.load(id))?.state ?? null,
    async create({ keys }) {
      const { result } = await repository.change(id, (stored) =>
        stored ? unchanged(stored) : changed({ id, keys }, []),
      );
      return result;
    },
    async change(decide) {
      const { result } = await repository.change(id, (stored) => {
        if (!stored) throw new Error('There are no signing keys yet: start the service once');
        return changed({ id, keys: decide(stored).keys }, []);
      });
      return result;
    },
  };
}
