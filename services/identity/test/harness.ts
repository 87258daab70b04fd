import { randomBytes } from 'node:crypto';
import type { Caller } from '@storefront/access-token';
import { fact, identityEvents, toEvent, topology, userDataEvents, userDataKeepers } from '@storefront/contracts';
import type { Event, UserDataKeeper } from '@storefront/contracts';
import { createInProcessBroker } from '@storefront/messaging';
import { loadConfig, openDatabase } from '@storefront/service-kit';
import { eventually, freshDatabase, memoryLogger, standInForGateway } from '@storefront/testing';
import type { Answer } from '@storefront/testing';
import { compactDecrypt, decodeJwt } from 'jose';
import { configSchema } from '../src/config.ts';
import { start } from '../src/service.ts';

export { times } from '@storefront/testing';
export type { Answer } from '@storefront/testing';

export interface CallOptions {
  readonly body?: unknown;
  /** An access token, as a client would send it to the gateway. */
  readonly as?: string;
  readonly headers?: Record<string, string>;
}

export type Harness = Awaited<ReturnType<typeof startIdentity>>;

/**
 * The service on a database of its own, called as the gateway would call it; on the in-process bus unless `env` says where
 * RabbitMQ is.
 */
export async function startIdentity(label: string, env: Record<string, string> = {}) {
  const database = freshDatabase(label);
  const { logger, lines } = memoryLogger();
  const broker = createInProcessBroker({ topology });
  const sealingKey = randomBytes(32);
  let ahead = 0;
  let stopped: number | null = null;
  const now = () => new Date((stopped ?? Date.now()) + ahead);
  const gateway = await standInForGateway('identity', now);
  const settings: Record<string, string> = {
    MONGODB_URL: database.url,
    INTERNAL_TOKEN_PUBLIC_KEY: JSON.stringify(gateway.publicJwk),
    API_SECRET: randomBytes(32).toString('hex'),
    CODE_SECRET: randomBytes(32).toString('hex'),
    CODE_SEALING_KEY: sealingKey.toString('base64url'),
    KEY_ENCRYPTION_SECRET: randomBytes(32).toString('hex'),
    NODE_ENV: 'test',
    ...env,
  };
  const events: Event<any>[] = [];
  const outside = broker.connect({ name: 'test', logger });
  await outside.broadcast({
    name: 'everything',
    types: Object.values(identityEvents).map(({ type }) => type),
    // Delivery is at least once: each fact counts once here.
    handle(event) {
      if (!events.some(({ id }) => id === event.id)) events.push(event as Event<any>);
    },
  });
  const startOne = () =>
    start(loadConfig(configSchema, settings), {
      ...(env['AMQP_URL'] ? {} : { connectBus: async (name, logger) => broker.connect({ name, logger }) }),
      logger,
      now,
    });
  const running = [await startOne()];
  const connection = await openDatabase(database.url, logger);

  function callAt(url: string, method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const caller = options.as ? (decodeJwt(options.as) as unknown as Caller) : null;
    const device = { 'x-client-ip': '192.0.2.7', 'user-agent': 'test device' };
    return gateway.call(caller, method, url + path, options.body, { ...device, ...options.headers });
  }
  const call = (method: string, path: string, options?: CallOptions) =>
    callAt(running[0]?.url ?? '', method, path, options);
  const post = (path: string, body?: unknown, as?: string) => call('POST', path, { body, ...(as ? { as } : {}) });
  const eventsOf = (email: string, type?: string) =>
    events.filter((event) => event.data.email === email && (!type || event.type === type));

  /** The digits of the newest code that was sent to the email. */
  async function codeOf(email: string, count = 1, type?: string): Promise<string> {
    const sent = await eventually(() => {
      const found = eventsOf(email, type).filter((event) => event.data.sealedCode);
      return found.length >= count ? found.at(-1) : null;
    }, `code ${count} for ${email}`);
    return digitsIn(sent);
  }

  /** The digits that the event carries sealed. */
  async function digitsIn(event: Event<any>): Promise<string> {
    const { plaintext } = await compactDecrypt(event.data.sealedCode, sealingKey);
    return JSON.parse(new TextDecoder().decode(plaintext)).code;
  }

  async function registered(email: string) {
    const answer = await post('/v1/auth/register', { email, password, firstName: 'Ada', lastName: 'Lovelace' });
    if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
    return { email, code: await codeOf(email) };
  }

  /** A consumer who is logged in. */
  async function member(email: string) {
    const { code } = await registered(email);
    const answer = await post('/v1/auth/verify', { email, code });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return { email, ...(answer.body as { accessToken: string; refreshToken: string; user: { id: string } }) };
  }

  return {
    settings,
    url: () => running[0]?.url ?? '',
    database: connection,
    events,
    eventsOf,
    /** As another service would. */
    publish: (...told: Event[]) => outside.publish(told),
    lines,
    now,
    /** Lets time pass for the service. */
    advance: (seconds: number) => (ahead += seconds * 1000),
    /** Lets no time pass but by `advance` while `work` is done, however slow the machine is. */
    async atOneMoment<Result>(work: () => Promise<Result>): Promise<Result> {
      stopped = Date.now();
      try {
        return await work();
      } finally {
        stopped = null;
      }
    },
    /** Another instance of the service on the same database; answers how to call it. */
    async another() {
      const instance = await startOne();
      running.push(instance);
      return (method: string, path: string, options?: CallOptions) => callAt(instance.url, method, path, options);
    },
    call,
    post,
    codeOf,
    digitsIn,
    registered,
    member,
    collection: (name: string) => connection.getClient().db(connection.name).collection<any>(name),
    async close() {
      await Promise.all(running.map((instance) => instance.close()));
      await broker.close();
      await connection.close();
      await database.drop();
    },
  };
}

export const password = 'a quiet lake in the morning';

export const trade = (email: string) => ({
  email,
  password,
  firstName: 'Charles',
  lastName: 'Babbage',
  phone: '+44 20 7946 0000',
  businessName: 'Analytical Engines',
  businessAddress: '1 Mill Lane\nLondon',
});

/** A code that is not this one. */
export function otherThan(code: string): string {
  return code === '000000' ? '000001' : '000000';
}

export function counts(answers: readonly Answer[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { status, body } of answers) {
    const key = body?.code ? `${status} ${body.code}` : String(status);
    found[key] = (found[key] ?? 0) + 1;
  }
  return found;
}

const now = () => ({ sequence: 1, time: new Date() });

/** What the services answer when they have erased the user. */
export function erasedBy(userId: string, keepers: readonly UserDataKeeper[] = userDataKeepers): Event[] {
  return keepers.map((keeper) => toEvent(fact(userDataEvents[keeper].erased, userId, { requestId: 'evt_1' }), now()));
}

/** What the services hand in for an export. */
export function exportedBy(
  userId: string,
  exportId: string,
  keepers: readonly UserDataKeeper[] = userDataKeepers,
): Event[] {
  return keepers.map((keeper) =>
    toEvent(fact(userDataEvents[keeper].exported, userId, { exportId, data: { from: keeper } }), now()),
  );
}
