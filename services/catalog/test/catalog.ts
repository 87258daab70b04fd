import { createInternalTokenIssuer, newInternalKeyPair } from '@storefront/access-token';
import type { Caller } from '@storefront/access-token';
import { catalogEvents, newId } from '@storefront/contracts';
import type { catalogHttp, Event } from '@storefront/contracts';
import { connectRabbitmq } from '@storefront/messaging';
import { openDatabase } from '@storefront/service-kit';
import type { Database } from '@storefront/service-kit';
import { freshDatabase, freshVhost, memoryLogger } from '@storefront/testing';
import { start } from '../src/service.ts';

export type Who = 'anonymous' | 'retail' | 'trade' | 'admin';

export interface Answer<Body = any> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** The service on a database of its own, called as the gateway calls it. */
export async function startCatalog(more: { PICTURES_DIR?: string } = {}) {
  const keys = await newInternalKeyPair();
  const tokens = createInternalTokenIssuer(keys.privateJwk);
  const place = freshDatabase('catalog');
  const { logger } = memoryLogger();
  const broker = await freshVhost('catalog');
  const subjects = { retail: newId('user'), trade: newId('user'), admin: newId('user') };
  const running = await start(
    {
      HOST: '127.0.0.1',
      PORT: 0,
      MONGODB_URL: place.url,
      AMQP_URL: broker.url,
      INTERNAL_TOKEN_PUBLIC_KEY: keys.publicJwk as { kty: string; crv: string; x: string },
      API_SECRET: 'a quiet secret of the tests, long enough',
      LOG_LEVEL: 'silent',
      NODE_ENV: 'test',
      CURRENCY: 'EUR',
      PICTURES_DIR: more.PICTURES_DIR,
    },
    { logger },
  );
  const database: Database = await openDatabase(place.url, logger);
  const events: Event[] = [];
  const bus = await connectRabbitmq({ url: broker.url, topology: [], logger, name: 'catalog-test' });
  await bus.broadcast({
    name: 'catalog-test',
    types: Object.values(catalogEvents).map(({ type }) => type),
    // An event may come more than once, as every consumer knows.
    handle: (event) => {
      if (!events.some(({ id }) => id === event.id)) events.push(event);
    },
  });

  async function call<Body = any>(
    who: Who,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const caller: Caller = who === 'anonymous' ? null : { sub: subjects[who], role: who, sid: 'sess_test', ver: 1 };
    const response = await fetch(`${running.url}${path}`, {
      method,
      headers: {
        'x-internal-token': await tokens.issue('catalog', caller),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  let made = 0;
  return {
    call,
    database,
    url: place.url,
    /** Every event that was published, each once. */
    events,
    eventsOf: (subject: string) => events.filter((event) => event.subject === subject),
    async category(more: Partial<catalogHttp.CategoryCreation> = {}): Promise<catalogHttp.CategoryBody> {
      made += 1;
      return created(await call('admin', 'POST', '/v1/categories', { name: `Category ${made}`, ...more }));
    },
    async product(more: Partial<catalogHttp.ProductCreation> = {}): Promise<catalogHttp.ProductBody> {
      made += 1;
      const price = { amount: 1000, currency: 'EUR' };
      return created(
        await call('admin', 'POST', '/v1/products', { sku: `S-${made}`, name: `Product ${made}`, price, ...more }),
      );
    },
    async close() {
      await bus.close();
      await running.close();
      await database.close();
      await place.drop();
      await broker.drop();
    },
  };
}

export type Catalog = Awaited<ReturnType<typeof startCatalog>>;

function created<Body>({ status, body }: Answer<Body>): Body {
  if (status !== 201) throw new Error(`expected 201, got ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** How many of the answers had which status. */
export function statuses(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
