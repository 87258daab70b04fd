import { catalogEvents, catalogHttp, newId, type EventContract } from '@storefront/contracts';
import { principal, startService, type Answer } from '@storefront/testing';
import type { z } from 'zod';
import { newProduct } from '../src/domain/product.ts';
import { service } from '../src/service.ts';
import { definitions } from '../src/store/collections.ts';

export { statuses, wrongFields } from '@storefront/testing';

export type Who = 'anonymous' | 'retail' | 'trade' | 'admin';

/** The public address of the API. */
export const apiUrl = 'https://api.example';

interface Upload {
  readonly who?: Who;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly alt?: string;
  /** The address of the instance; by default of the first one. */
  readonly url?: string;
}
const { id: _id, ...fields } = newProduct(
  catalogHttp.productCreation.parse({ sku: 'X', name: 'X', price: { amount: 1, currency: 'EUR' } }),
  { id: newId('prod'), slug: 'x', now: new Date() },
);

/** A stored product without its id, for tests that fill the collection. SKU and slug need other values. */
export const storedProduct = { ...fields, version: 1, outbox: [] };

export type Harness = Awaited<ReturnType<typeof startCatalog>>;

/** The service with what its tests say about categories and products, on the in-process bus. */
export async function startCatalog(
  settings: { PICTURES_DIR?: string } = {},
  contracts: readonly EventContract[] = Object.values(catalogEvents),
) {
  const harness = await startService(service, {
    bus: 'in-process',
    contracts,
    definitions,
    settings: { API_URL: apiUrl, ...settings },
  });
  const callers = {
    anonymous: null,
    retail: principal('retail'),
    trade: principal('trade'),
    admin: principal('admin'),
  };
  let made = 0;

  const call = <Body = any>(who: Who, method: string, path: string, body?: unknown, headers = {}) =>
    harness.call<Body>(callers[who], method, path, body, headers);

  return {
    ...harness,
    call,
    callers,
    /** Uploads a picture of a product. */
    async upload(
      productId: string,
      bytes: Buffer<ArrayBuffer>,
      { who = 'admin', type = 'image/png', headers, alt, url = harness.url() }: Upload = {},
    ): Promise<Answer> {
      const query = alt === undefined ? '' : `?alt=${encodeURIComponent(alt)}`;
      const answer = await fetch(`${url}/v1/products/${productId}/images${query}`, {
        method: 'POST',
        headers: { ...(await harness.headersFor(callers[who])), 'content-type': type, ...headers },
        body: bytes,
      });
      return { status: answer.status, headers: answer.headers, body: await answer.json() };
    },
    async category(fields: Partial<catalogHttp.CategoryCreation> = {}): Promise<catalogHttp.CategoryBody> {
      made += 1;
      return created(await call('admin', 'POST', '/v1/categories', { name: `Category ${made}`, ...fields }));
    },
    async product(fields: Partial<z.input<typeof catalogHttp.productCreation>> = {}): Promise<catalogHttp.ProductBody> {
      made += 1;
      const price = { amount: 1000, currency: 'EUR' };
      return created(
        await call('admin', 'POST', '/v1/products', { sku: `S-${made}`, name: `Product ${made}`, price, ...fields }),
      );
    },
  };
}

function created<Body>({ status, body }: Answer<Body>): Body {
  if (status !== 201) throw new Error(`expected 201, got ${status}: ${JSON.stringify(body)}`);
  return body;
}
