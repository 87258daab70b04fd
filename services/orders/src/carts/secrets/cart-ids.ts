import { createHmac, hash } from 'node:crypto';
import { idFromHex } from '@storefront/contracts';

/**
 * The ids of carts. An id is secret: it has 128 bits that can't be guessed, and whoever has it has the cart. Stored are
 * only its digest, under which the cart is found, and its seed. From the seed only the service can make the id again.
 */
export interface CartIds {
  /** Makes the id of a seed. The same seed always gives the same id. */
  idOf(seed: string): string;
  /** The digest of an id. */
  digestOf(id: string): string;
  /** The id of a stored cart; null where it was made with another secret of the service, so that only clients know it. */
  idOfCart(cart: { readonly id: string; readonly seed: string }): string | null;
}

export function createCartIds(secret: string): CartIds {
  const digestOf = (id: string) => hash('sha256', id, 'base64url');
  function idOf(seed: string): string {
    const hex = createHmac('sha256', secret).update(`cart\0${seed}`).digest('hex').slice(0, 32);
    return idFromHex('cart', hex);
  }
  return {
    idOf,
    digestOf,
    idOfCart({ id, seed }) {
      const secretId = idOf(seed);
      return digestOf(secretId) === id ? secretId : null;
    },
  };
}
