import { catalogEvents } from '@storefront/contracts';
import type { catalogHttp, Event } from '@storefront/contracts';
import { connectRabbitmq } from '@storefront/messaging';
import { openDatabase } from '@storefront/service-kit';
import type { Database } from '@storefront/service-kit';
import { freshDatabase, freshVhost, memoryLogger, principal, standInForGateway } from '@storefront/testing';
import type { Answer } from '@storefront/testing';
import { start } from '../src/service.ts';

export { statuses } from '@storefront/testing';

export type Who = 'anonymous' | 'retail' | 'trade' | 'admin';

/** The service on a database of its own, called as the gateway calls it. */
export async function startCatalog(more: { PICTURES_DIR?: string } = {}) {
  const gateway = await standInForGateway('catalog');
  const place = freshDatabase('catalog');
  const { logger } = memoryLogger();
  const broker = await freshVhost('catalog');
  const callers = {
    anonymous: null,
    retail: principal('retail'),
    trade: principal('trade'),
    admin: principal('admin'),
  };
  const running = await start(
    {
      HOST: '127.0.0.1',
      PORT: 0,
      MONGODB_URL: place.url,
      AMQP_URL: broker.url,
      INTERNAL_TOKEN_PUBLIC_KEY: gateway.publicJwk,
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

  function call<Body = any>(
    who: Who,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    return gateway.call(callers[who], method, `${running.url}${path}`, body, headers);
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
