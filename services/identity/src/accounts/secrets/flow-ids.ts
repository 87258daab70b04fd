import { createHmac, hash, randomBytes } from 'node:crypto';
import { idFromHex } from '@storefront/contracts';

type FlowPrefix = 'reg' | 'rec';

/**
 * Makes the ids of registrations and recoveries. An id is secret: it has 128 bits that can't be guessed, and only the
 * client knows it. The service stores and publishes only the digest of an id.
 */
export interface FlowIds {
  /** Makes a new id. The same `seed` gives the same id, so that a repeated request does not begin a second flow. */
  create(prefix: FlowPrefix, seed?: string): { readonly id: string; readonly digest: string };
  /** The digest of an id. The registration or recovery is stored under this digest. */
  digestOf(id: string): string;
}

export function createFlowIds(secret: string): FlowIds {
  const digestOf = (id: string) => hash('sha256', id, 'base64url');
  return {
    create(prefix, seed) {
      const bytes =
        seed === undefined ? randomBytes(16) : createHmac('sha256', secret).update(`${prefix}\0${seed}`).digest();
      const id = idFromHex(prefix, bytes.toString('hex', 0, 16));
      return { id, digest: digestOf(id) };
    },
    digestOf,
  };
}
