import { accountEvents, catalogEvents, newId, ordersEvents, userDataEvents, type Event } from '@storefront/contracts';
import { eventually, newEvent, principal, startService, type HarnessOptions } from '@storefront/testing';
import { service } from '../src/service.ts';
import { definitions } from '../src/store/collections.ts';

export { anonymous, statuses, times, wrongFields } from '@storefront/testing';

export interface ProductState {
  readonly name: string;
  readonly image: string | null;
  readonly price: { amount: number; currency: string };
  readonly tradePrice: { amount: number; currency: string } | null;
  readonly available: boolean;
  /** How many are free; by default one where it is available. */
  readonly stock?: number;
  /** How many were counted; by default those that are free. */
  readonly counted?: number;
  readonly status: 'draft' | 'active' | 'archived';
  readonly options?: catalogEvents.ProductFacts['options'];
  readonly variants?: catalogEvents.ProductFacts['variants'];
}

export const mug: ProductState = {
  name: 'Mug',
  image: 'https://images.example.com/mug.jpg',
  price: { amount: 1999, currency: 'EUR' },
  tradePrice: { amount: 1450, currency: 'EUR' },
  available: true,
  status: 'active',
};

/** A logged-in user. */
export interface Person {
  readonly id: string;
  readonly role: 'retail' | 'trade' | 'admin';
}

export const person = (role: Person['role'] = 'retail'): Person => ({ id: newId('user'), role });

function productFacts(id: string, state: Partial<ProductState>): catalogEvents.ProductFacts {
  const { available = mug.available, variants } = state;
  const stock = variants?.reduce((sum, variant) => sum + variant.stock, 0) ?? (available ? 1 : 0);
  return { id, sku: 'S', slug: 's', categoryIds: [], stock, ...mug, ...state };
}

export type Harness = Awaited<ReturnType<typeof startAccount>>;

/** The service with what its tests say about products; on the in-process bus unless `bus` says otherwise. */
export async function startAccount(bus: HarnessOptions['bus'] = 'in-process') {
  const harness = await startService(service, {
    bus,
    settings: { API_URL: 'https://api.example/' },
    contracts: [...Object.values(accountEvents), ...Object.values(userDataEvents.account), ordersEvents.orderPlaced],
    definitions,
  });

  /** The event that publishes a product at one of its versions; null for its deletion. */
  function productEvent(id: string, sequence: number, state: Partial<ProductState> | null): Event {
    if (state === null) return newEvent(catalogEvents.productDeleted, id, { id, sku: 'S', name: 'gone' }, sequence);
    const contract = sequence === 1 ? catalogEvents.productCreated : catalogEvents.productChanged;
    return newEvent(contract, id, productFacts(id, state), sequence);
  }

  /** The snapshot event of the product at a version; of a deleted one where there is no state. */
  function productSnapshotEvent(id: string, sequence: number, state: Partial<ProductState> | null = null): Event {
    const data = { ...productFacts(id, state ?? {}), deleted: state === null };
    return newEvent(catalogEvents.productSnapshot, id, data, sequence);
  }

  /** Publishes a version of a product, and waits until the service has it. */
  async function product(id: string, sequence: number, state: Partial<ProductState> | null): Promise<void> {
    await harness.publish(productEvent(id, sequence, state));
    await eventually(
      async () => ((await harness.collection('products').findOne({ _id: id }))?.sequence ?? -1) >= sequence,
      `version ${sequence} of the product`,
    );
  }

  return {
    ...harness,
    call: <Body = any>(who: Person | null, method: string, path: string, body?: unknown, headers = {}) =>
      harness.call<Body>(who && principal(who.role, who.id), method, path, body, headers),
    product,
    productEvent,
    productSnapshotEvent,
    /** A product that can be put on a wishlist. */
    async newProduct(state: Partial<ProductState> = {}): Promise<string> {
      const id = newId('prod');
      await product(id, 1, state);
      return id;
    },
  };
}
