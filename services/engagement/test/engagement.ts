import { randomBytes } from 'node:crypto';
import type { Principal } from '@storefront/access-token';
import { fact, toEvent, topology } from '@storefront/contracts';
import type { Event, EventContract } from '@storefront/contracts';
import { createInProcessBroker } from '@storefront/messaging';
import type { Bus } from '@storefront/messaging';
import { collectionOf, loadConfig, openDatabase } from '@storefront/service-kit';
import { eventually, freshDatabase, memoryLogger, principal, standInForGateway } from '@storefront/testing';
import type { Answer } from '@storefront/testing';
import { CompactEncrypt } from 'jose';
import type { z } from 'zod';
import { configSchema, start } from '../src/service.ts';
import { startMailServer } from './mail-server.ts';

/** The service with its own database and mail server, on the bus of this process or on another. */
export async function startEngagement(
  options: { connectBus?: (name: string) => Promise<Bus>; now?: () => Date; instances?: number } = {},
) {
  const gateway = await standInForGateway('engagement');
  const sealingKey = randomBytes(32);
  const database = freshDatabase('engagement');
  const mails = await startMailServer();
  const { logger, lines } = memoryLogger();
  const broker = createInProcessBroker({ topology });
  const connectBus = options.connectBus ?? (async (name: string) => broker.connect({ name, logger }));
  const config = loadConfig(configSchema, {
    MONGODB_URL: database.url,
    INTERNAL_TOKEN_PUBLIC_KEY: JSON.stringify(gateway.publicJwk),
    API_SECRET: 'a quiet secret of the tests, long enough',
    NODE_ENV: 'test',
    SMTP_URL: mails.url,
    MAIL_FROM: 'Tea & Tools <shop@example.com>',
    MAIL_DOMAIN: 'mail.example.com',
    SHOP_NAME: 'Tea & Tools',
    SHOP_URL: 'https://shop.example/',
    CODE_SEALING_KEY: sealingKey.toString('base64url'),
  });
  const startOne = () => start(config, { connectBus, logger, ...(options.now ? { now: options.now } : {}) });
  const running = await Promise.all(Array.from({ length: options.instances ?? 1 }, startOne));
  const connection = await openDatabase(database.url, logger);
  const bus = await connectBus('engagement-test');
  const people = {
    ada: principal('retail'),
    bob: principal('retail'),
    admin: principal('admin'),
    boss: principal('admin'),
  };

  function ask<Body = any>(
    who: Principal | null,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    instance = 0,
  ): Promise<Answer<Body>> {
    return gateway.call(who, method, `${running[instance]?.url}${path}`, body, headers);
  }

  const seal = (code: string) =>
    new CompactEncrypt(new TextEncoder().encode(JSON.stringify({ code })))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(sealingKey);

  return {
    ask,
    people,
    mails,
    /** Every line that the service logged. */
    lines,
    bus,
    running,
    urls: running.map(({ url }) => url),
    startAnother: startOne,
    headersFor: gateway.headersFor,
    database: connection,
    deliveries: collectionOf<any>(connection, 'deliveries'),
    notifications: collectionOf<any>(connection, 'notifications'),

    event<Contract extends EventContract>(
      contract: Contract,
      subject: string,
      data: z.input<Contract['data']>,
      sequence = 1,
    ): Event {
      return toEvent(fact(contract, subject, data), { sequence, time: new Date() });
    },
    async publish(...events: Event[]): Promise<void> {
      const results = await bus.publish(events);
      if (results.some(({ confirmed }) => !confirmed)) throw new Error(`not published: ${JSON.stringify(results)}`);
    },
    /** What identity puts into an event that carries a code. */
    sealed: async (code: string, lifeMs = 600_000) => ({
      sealedCode: await seal(code),
      codeExpiresAt: new Date(Date.now() + lifeMs).toISOString(),
    }),
    /** Waits until the delivery to that address is in that state. */
    delivered: (email: string, status = 'delivered') =>
      eventually(
        () => connection.getClient().db(connection.name).collection('deliveries').findOne({ email, status }),
        `the delivery to ${email} to be ${status}`,
      ),
    async close(): Promise<void> {
      await Promise.all(running.map((each) => each.close()));
      await bus.close();
      await connection.close();
      await mails.stop();
      await database.drop();
    },
  };
}

export type Engagement = Awaited<ReturnType<typeof startEngagement>>;
