import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accountEvents, catalogEvents, fact, newId, toEvent, topology, userDataEvents } from '@storefront/contracts';
import type { Event } from '@storefront/contracts';
import { connectRabbitmq } from '@storefront/messaging';
import { openDatabase } from '@storefront/service-kit';
import type { Running } from '@storefront/service-kit';
import { eventually, freshDatabase, freshVhost, memoryLogger, principal, standInForGateway } from '@storefront/testing';
import type { Answer } from '@storefront/testing';
import { start } from '../src/service.ts';

export { statuses, times } from '@storefront/testing';
export type { Answer } from '@storefront/testing';

/** Somebody who is logged in. */
export interface Person {
  readonly id: string;
  readonly role: 'retail' | 'trade' | 'admin';
}

export interface ProductState {
  readonly name: string;
  readonly image: string | null;
  readonly price: { amount: number; currency: string };
  readonly tradePrice: { amount: number; currency: string } | null;
  readonly available: boolean;
  readonly status: 'draft' | 'active' | 'archived';
}

export const mug: ProductState = {
  name: 'Mug',
  image: 'https://images.example.com/mug.jpg',
  price: { amount: 1999, currency: 'EUR' },
  tradePrice: { amount: 1450, currency: 'EUR' },
  available: true,
  status: 'active',
};

/** Nobody is logged in. */
export const anonymous = null;

export const person = (role: Person['role'] = 'retail'): Person => ({ id: newId('user'), role });

export type Harness = Awaited<ReturnType<typeof startAccount>>;

/** The service on a database and a broker of its own, called as the gateway calls it. */
export async function startAccount() {
  const gateway = await standInForGateway('account');
  const place = freshDatabase('account');
  const broker = await freshVhost('account');
  const { logger, lines } = memoryLogger();
  const startOne = () =>
    start(
      {
        HOST: '127.0.0.1',
        PORT: 0,
        MONGODB_URL: place.url,
        AMQP_URL: broker.url,
        INTERNAL_TOKEN_PUBLIC_KEY: gateway.publicJwk,
        API_SECRET: 'a quiet secret of the tests, long enough',
        LOG_LEVEL: 'silent',
        NODE_ENV: 'test',
      },
      {
        logger,
        connectBus: (name, busLogger) =>
          connectRabbitmq({
            url: broker.url,
            topology,
            logger: busLogger,
            name,
            onDelivery: ({ outcome }) => {
              if (outcome !== 'retry') handled += 1;
            },
          }),
      },
    );
  let published = 0;
  let handled = 0;
  const running: Running[] = [await startOne()];
  const connection = await openDatabase(place.url, logger);
  const events: Event<any>[] = [];
  const bus = await connectRabbitmq({ url: broker.url, topology, logger, name: 'account-test' });
  await bus.broadcast({
    name: 'account-test',
    types: [...Object.values(accountEvents), ...Object.values(userDataEvents.account)].map(({ type }) => type),
    handle: (event) => events.push(event as Event<any>),
  });

  function call<Body = any>(
    who: Person | null,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    return gateway.call(who && principal(who.role, who.id), method, `${running[0]?.url}${path}`, body, headers);
  }

  async function publish(...told: Event[]): Promise<void> {
    const results = await bus.publish(told);
    const failed = results.find((one) => !one.confirmed);
    if (failed) throw new Error(JSON.stringify(failed));
    published += told.length;
  }

  const collection = (name: string) => connection.getClient().db(connection.name).collection<any>(name);

  /** The event that tells what a product is at one of its versions. */
  function productEvent(id: string, sequence: number, state: Partial<ProductState> | null): Event {
    const at = { sequence, time: new Date() };
    if (state === null) return toEvent(fact(catalogEvents.productDeleted, id, { id, sku: 'S', name: 'gone' }), at);
    const contract = sequence === 1 ? catalogEvents.productCreated : catalogEvents.productChanged;
    return toEvent(fact(contract, id, { id, sku: 'S', slug: 's', categoryIds: [], stock: 1, ...mug, ...state }), at);
  }

  /** Tells of a version of a product, and waits until it is known. */
  async function product(id: string, sequence: number, state: Partial<ProductState> | null): Promise<void> {
    await publish(productEvent(id, sequence, state));
    await eventually(
      async () => ((await collection('products').findOne({ _id: id }))?.sequence ?? -1) >= sequence,
      `version ${sequence} of the product`,
    );
  }

  return {
    call,
    publish,
    product,
    productEvent,
    collection,
    connection,
    bus,
    amqpUrl: broker.url,
    lines,
    /** What the service has told, the oldest first. */
    events,
    eventsOf: (subject: string, type?: string) =>
      events.filter((event) => event.subject === subject && (type === undefined || event.type === type)),
    /** A product that can be wished for. */
    async newProduct(state: Partial<ProductState> = {}): Promise<string> {
      const id = newId('prod');
      await product(id, 1, state);
      return id;
    },
    /** Every event that was published so far has been handled, and what came of it is told. */
    async idle(): Promise<void> {
      await eventually(() => handled >= published, 'every event to be handled', 60_000);
      await eventually(async () => {
        const response = await fetch(`${running[0]?.url}/readyz`);
        const { checks } = (await response.json()) as { checks: { outbox: { depth: number } } };
        return checks.outbox.depth === 0;
      }, 'every outbox to be empty');
    },
    async another(): Promise<void> {
      running.push(await startOne());
    },
    /** Ends every instance; what is published waits for the next one. */
    async stop(): Promise<void> {
      await Promise.all(running.splice(0).map((instance) => instance.close()));
    },
    /** The service as a process of its own, once it listens. */
    async process(): Promise<ChildProcess> {
      const child = fork(new URL('../src/main.ts', import.meta.url), {
        execArgv: ['--conditions=source'],
        stdio: 'ignore',
        env: {
          PATH: process.env.PATH,
          MONGODB_URL: place.url,
          AMQP_URL: broker.url,
          INTERNAL_TOKEN_PUBLIC_KEY: JSON.stringify(gateway.publicJwk),
          API_SECRET: 'a quiet secret of the tests, long enough',
          NODE_ENV: 'test',
        },
      });
      await once(child, 'message');
      return child;
    },
    async close() {
      await bus.close();
      await Promise.all(running.map((instance) => instance.close()));
      await connection.close();
      await place.drop();
      await broker.drop();
    },
  };
}

/** The wrong fields that an answer names, with their codes. */
export function wrongFields({ body }: Answer): Record<string, string> {
  return Object.fromEntries(
    (body.errors ?? []).map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
  );
}
