import {
  auditEvents,
  catalogEvents,
  identityEvents,
  newId,
  ordersEvents,
  userDataEvents,
  type Event,
} from '@storefront/contracts';
import { eventually, newEvent, principal, startService } from '@storefront/testing';
import { collections, service } from '../src/service.ts';

export { anonymous, statuses, times, wrongFields } from '@storefront/testing';

/** A logged-in user. */
export interface Person {
  readonly id: string;
  readonly role: 'retail' | 'trade' | 'sales';
}

export const person = (role: Person['role'] = 'retail'): Person => ({ id: newId('user'), role });
export const sales = person('sales');

export const eur = (amount: number) => ({ amount, currency: 'EUR' });

type Variant = NonNullable<catalogEvents.ProductFacts['variants']>[number];
export type ProductState = Omit<Partial<catalogEvents.ProductFacts>, 'variants'> & {
  readonly variants?: readonly Partial<Variant>[];
};

/** A mug of one size, 19.99 EUR for consumers and 14.50 EUR for trade accounts, of which there are 10. */
const mug = {
  sku: 'MUG',
  name: 'Mug',
  slug: 'mug',
  image: 'https://images.example.com/mug.jpg',
  categoryIds: [],
  price: eur(1999),
  tradePrice: eur(1450),
  status: 'active',
  stock: 10,
  available: true,
  options: [],
} as const;

export interface NewProduct {
  readonly productId: string;
  readonly variantId: string;
}

export type Harness = Awaited<ReturnType<typeof startOrders>>;

/** The service with what its tests say about products. `options` are those of `startService`. */
export async function startOrders(options: Parameters<typeof startService>[1] = {}) {
  const { settings = {}, ...rest } = options;
  const harness = await startService(service, {
    contracts: [...Object.values(ordersEvents), ...Object.values(userDataEvents.orders), auditEvents.orders],
    definitions: collections,
    ...rest,
    settings: {
      API_URL: 'https://api.example/',
      SELLER_NAME: 'Storefront Ltd',
      SELLER_ADDRESS: 'Marktplatz 5\\n20095 Hamburg',
      SELLER_COUNTRY: 'DE',
      SELLER_VAT_NUMBER: 'DE987654321',
      SHOP_TIME_ZONE: 'Europe/Berlin',
      RETURN_URLS: 'https://shop.example/,http://localhost:*',
      ...settings,
    },
  });

  /** The event that publishes a product at one of its versions; null for its deletion. */
  function productEvent(id: string, sequence: number, state: ProductState | null): Event {
    if (state === null) return newEvent(catalogEvents.productDeleted, id, { id, sku: 'S', name: 'gone' }, sequence);
    const contract = sequence === 1 ? catalogEvents.productCreated : catalogEvents.productChanged;
    return newEvent(contract, id, productData(id, state), sequence);
  }

  /** Publishes a version of a product, and waits until the service has it. */
  async function product(id: string, sequence: number, state: ProductState | null): Promise<void> {
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
    productEvent,
    productData,
    product,
    /** A product with one variant. */
    async newProduct(state: ProductState = {}): Promise<NewProduct> {
      const productId = newId('prod');
      await product(productId, 1, state);
      return { productId, variantId: ownVariant(productId) };
    },
    /** A trade account with a VAT number, which the service knows. */
    async newTradeAccount(vatNumber: string | null): Promise<Person> {
      const who = person('trade');
      await harness.publish(tradeAccountEvent(who.id, vatNumber, 2));
      await eventually(
        async () => (await harness.collection('trade_accounts').countDocuments({ _id: who.id })) === 1,
        'the trade account',
      );
      return who;
    },
  };
}

/** The data of a product's event. The stock and the prices of its own variant are the product's. */
function productData(id: string, { variants = [{}], ...state }: ProductState): catalogEvents.ProductFacts {
  const data = { ...mug, ...state, id, categoryIds: [] };
  const { price, tradePrice, stock } = data;
  const own = { sku: data.sku, values: [], price, tradePrice, stock, weight: null, status: 'active' as const };
  return {
    ...data,
    options: data.options.map((option) => ({ ...option })),
    variants: variants.map((variant) => ({ ...own, id: ownVariant(id), ...variant })),
  };
}

/** The id of the variant of a product without options: any that is made of the product's. */
function ownVariant(productId: string): string {
  return productId.replace('prod_', 'var_');
}

export function tradeAccountEvent(id: string, vatNumber: string | null, sequence: number): Event {
  const who = { email: 'buyer@example.com', firstName: 'Bea', lastName: 'Buyer' };
  const business = { name: 'Tea House', address: 'Hauptstraße 1', vatNumber, country: 'DE' };
  const submittedAt = new Date().toISOString();
  const data = { ...who, businessName: business.name, reason: null, business, submittedAt };
  return newEvent(identityEvents.tradeAccountApproved, id, data, sequence);
}
