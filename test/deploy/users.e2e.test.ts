import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect, type ConfirmChannel } from 'amqplib';
import mongoose from 'mongoose';
import { newInternalKeyPair } from '@storefront/access-token';
import { findMongod, freePort, startMailbox, startMongod } from '@storefront/backing';
import { auditEvents, auditRecord, identityEvents, operator, ordersEvents, topology } from '@storefront/contracts';
import { connectRabbitmq, deployTopology, type DeadLetter } from '@storefront/messaging';
import { passwordVariable, usersOf } from '@storefront/operations';
import { gateway, services } from '@storefront/stack';
import { eventually, freshVhost, memoryLogger, newEvent, plainEnv } from '@storefront/testing';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { patientClientOf, codeIn, mailTo } from '../client.ts';
import { patient } from '../patient.ts';

const opened = new AsyncDisposableStack();
const logs = memoryLogger();
const passwords: Record<string, string> = {};
let mongodbUrl: string;
let amqpUrl: string;
let api: string;
let mailbox: string;
let firstTime: Record<string, string[]>;
const ports: Record<string, number> = {};

const withUser = (url: string, name: string, password: string) => {
  const address = new URL(url);
  address.username = name;
  address.password = password;
  return address;
};
const amqpOf = (name: string) => withUser(amqpUrl, name, passwords[passwordVariable('RabbitMQ', name)] ?? '').href;
function mongodbOf(name: string, database = name): string {
  const url = withUser(mongodbUrl, name, passwords[passwordVariable('MongoDB', name)] ?? '');
  url.pathname = `/${database}`;
  url.searchParams.set('authSource', name);
  return url.href;
}

/** A mongod that lets nobody in without a password, with one user who may do everything. */
async function startGuardedMongod(dataDir: string): Promise<string> {
  const binary = await findMongod(() => undefined);
  const open = await startMongod({ binary, dataDir });
  const connection = await mongoose.createConnection(open.url).asPromise();
  await connection
    .getClient()
    .db('admin')
    .command({ createUser: 'storefront', pwd: 'storefront', roles: ['root'] });
  await connection.close();
  await open.close();

  const [key, guarded] = [join(dataDir, 'key'), join(dataDir, 'mongod-with-users')];
  await writeFile(key, randomBytes(32).toString('hex'), { mode: 0o400 });
  await writeFile(guarded, `#!/bin/sh\nexec "${binary}" --keyFile "${key}" "$@"\n`);
  await chmod(guarded, 0o755);
  const server = await startMongod({ binary: guarded, dataDir });
  opened.defer(() => server.close());
  return withUser(server.url, 'storefront', 'storefront').href;
}

/** What `npm run users` prints, by its first word. */
async function makeUsers(): Promise<Record<string, string[]>> {
  const { stdout } = await promisify(execFile)('node', ['--conditions=source', 'operations/src/main.ts', 'users'], {
    env: {
      ...plainEnv,
      MONGODB_URL: mongodbUrl,
      AMQP_URL: amqpUrl,
      RABBITMQ_MANAGEMENT_URL: inject('rabbitmqManagementUrl'),
      ...passwords,
    },
  });
  const lines = stdout.trim().split('\n');
  const groups = Object.groupBy(lines, (line) => line.split(' ')[0] ?? '');
  return Object.fromEntries(
    Object.entries(groups).map(([was, those = []]) => [was, those.map((line) => line.slice(was.length).trim())]),
  );
}

const everybody = [
  ...usersOf.MongoDB.map((name) => `MongoDB user ${name}`),
  ...usersOf.RabbitMQ.map((name) => `RabbitMQ user ${name}`),
];

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-users-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const vhost = await freshVhost('users');
  opened.defer(() => vhost.drop());
  const mail = await startMailbox();
  opened.defer(() => mail.close());
  mongodbUrl = await startGuardedMongod(dataDir);
  amqpUrl = vhost.url;
  mailbox = mail.page;
  for (const server of ['MongoDB', 'RabbitMQ'] as const)
    for (const name of usersOf[server])
      passwords[passwordVariable(server, name)] = randomBytes(32).toString('base64url');

  firstTime = await makeUsers();
  await deployTopology({ url: amqpUrl, managementUrl: inject('rabbitmqManagementUrl'), topology });

  const { privateJwk, publicJwk } = await newInternalKeyPair();
  const secrets = ['API_SECRET', 'CODE_SECRET', 'CODE_SEALING_KEY', 'KEY_ENCRYPTION_SECRET'];
  const all = [gateway, ...services];
  for (const { name } of all) ports[name] = await freePort(Object.values(ports));
  const addressOf = (name: string) => `http://127.0.0.1:${ports[name]}`;
  api = addressOf('gateway');
  const common = {
    ...patient,
    NODE_ENV: 'test',
    INTERNAL_TOKEN_PRIVATE_KEY: JSON.stringify(privateJwk),
    INTERNAL_TOKEN_PUBLIC_KEY: JSON.stringify(publicJwk),
    ...Object.fromEntries(secrets.map((secret) => [secret, randomBytes(32).toString('base64url')])),
    SMTP_URL: mail.url,
    MAIL_FROM: 'Storefront <no-reply@shop.example>',
    MAIL_DOMAIN: 'shop.example',
    SHOP_URL: api,
    API_URL: api,
    SELLER_NAME: 'Storefront',
    SELLER_ADDRESS: 'Somewhere',
    SELLER_COUNTRY: 'DE',
    SELLER_VAT_NUMBER: 'DE136695976',
    SERVICES: services.map(({ name }) => `${name}=${addressOf(name)}`).join(','),
    ...Object.fromEntries(services.map(({ name }) => [`UPSTREAM_${name.toUpperCase()}`, addressOf(name)])),
  };
  for (const each of all) {
    const service = await each.load();
    const running = await service.startWith(
      { ...common, PORT: String(ports[each.name]), MONGODB_URL: mongodbOf(each.name), AMQP_URL: amqpOf(each.name) },
      { logger: logs.logger.child({ name: each.name }) },
    );
    opened.defer(() => running.close());
  }
});
afterAll(() => opened.disposeAsync());

it('makes everybody once, and takes another password over', async () => {
  expect(firstTime).toEqual({ made: everybody });
  expect(await makeUsers()).toEqual({ present: everybody });
  // Of one who has no connection that the other tests of this file need.
  const variable = passwordVariable('RabbitMQ', 'order-system');
  passwords[variable] = randomBytes(32).toString('base64url');
  expect(await makeUsers()).toEqual({
    changed: ['RabbitMQ user order-system'],
    present: everybody.filter((user) => user !== 'RabbitMQ user order-system'),
  });
  await (await connect(amqpOf('order-system'))).close();
});

it('every service can do its work with a user of its own', async () => {
  for (const { name } of services) {
    await eventually(async () => {
      const ready = await fetch(`http://127.0.0.1:${ports[name]}/readyz`);
      const body = (await ready.json()) as { status: string };
      expect([name, ready.status, body.status], JSON.stringify(body)).toEqual([name, 200, 'ready']);
      return true;
    }, `${name} to be ready`);
  }
  const client = patientClientOf(api);
  const account = { email: 'ada@example.com', password: 'a quiet lake in the morning' };
  const registered = await client.call('POST', '/v1/auth/register', {
    body: { ...account, firstName: 'Ada', lastName: 'Lovelace' },
  });
  expect(registered.status, JSON.stringify(registered.body)).toBe(202);
  const code = codeIn(await mailTo(mailbox, account.email, /^\d{6} is your code$/));
  const { registrationId } = registered.body;
  const verified = await client.call('POST', '/v1/auth/verify', { body: { registrationId, code } });
  expect(verified.status).toBe(200);
  const token: string = verified.body.accessToken;
  await mailTo(mailbox, account.email, /welcome/i);
  expect((await client.call('GET', '/v1/users/me', { token })).status).toBe(200);
  expect((await client.call('POST', '/v1/auth/logout', { token })).status).toBeLessThan(300);
  await eventually(
    async () => (await client.call('GET', '/v1/users/me', { token })).status === 401,
    'the gateway to know of the logout',
  );
  expect(logs.lines.filter((line) => /ACCESS_REFUSED|not authorized/i.test(line))).toEqual([]);
});

it('a service can give up an event of its own queue', async () => {
  const bus = await connectRabbitmq({ url: amqpUrl, topology, logger: logs.logger, name: 'operator' });
  await using _ = { [Symbol.asyncDispose]: () => bus.close() };
  const order = newEvent(ordersEvents.orderPlaced, 'order-1', {} as never);
  expect(await bus.publish([order])).toEqual([{ id: order.id, confirmed: true }]);
  await eventually(async () => {
    const letters = await bus.deadLetters.list({ match: ({ event }) => 'id' in event && event.id === order.id });
    return letters.some(({ queue }) => queue === 'account.on-order-placed');
  }, 'the dead letter of account');
});

/** The code with which RabbitMQ refuses what the user tries, of account where none is named; undefined where it does not. */
async function refusalOf(attempt: (channel: ConfirmChannel) => unknown, user = 'account'): Promise<number | undefined> {
  const connection = await connect(amqpOf(user));
  const channel = await connection.createConfirmChannel();
  const { promise: refused, resolve } = Promise.withResolvers<number>();
  channel.on('error', (error: Error & { code: number }) => resolve(error.code));
  try {
    const done = (async () => {
      await attempt(channel);
      await channel.waitForConfirms();
    })();
    return await Promise.race([
      refused,
      done.then(
        () => undefined,
        () => refused,
      ),
    ]);
  } finally {
    await connection.close();
  }
}

const foreign = newEvent(identityEvents.userSnapshot, 'user_1', {} as never);
const content = Buffer.from(JSON.stringify(foreign));

it.each([
  ['publish a fact of identity', (channel) => channel.publish('storefront.events', foreign.type, content)],
  ['publish to a queue by its name', (channel) => channel.publish('', 'billing.on-trade-account-changed', content)],
  ['publish by a delay', (channel) => channel.publish('storefront.delay-1s', 'billing.on-order-placed', content)],
  ['forge a dead letter', (channel) => channel.publish('storefront.dead-letters', 'billing.on-order-placed', content)],
  ['read the queue of another service', (channel) => channel.get('billing.on-order-placed')],
  ['read dead letters', (channel) => channel.get('storefront.dead')],
  ['delete the queue of another service', (channel) => channel.deleteQueue('billing.on-order-placed')],
  [
    'unbind the queue of another service',
    (channel) => channel.unbindQueue('billing.on-order-placed', 'storefront.events', 'orders.order-placed'),
  ],
  ['delete the exchange', (channel) => channel.deleteExchange('storefront.events')],
] satisfies [string, (channel: ConfirmChannel) => unknown][])('account may not %s', async (_what, attempt) => {
  expect(await refusalOf(attempt)).toBe(403);
});

it('an order system may publish its own facts', async () => {
  const bus = await connectRabbitmq({
    url: amqpOf('order-system'),
    topology,
    logger: logs.logger,
    name: 'order-system',
  });
  await using _ = { [Symbol.asyncDispose]: () => bus.close() };
  const order = newEvent(ordersEvents.orderPlaced, 'order-2', {} as never);
  expect(await bus.publish([order])).toEqual([{ id: order.id, confirmed: true }]);
});

const eavesdropping = { exclusive: true, durable: false };

it.each([
  ['publish a fact of identity', (channel) => channel.publish('storefront.events', foreign.type, content)],
  ['publish by a delay', (channel) => channel.publish('storefront.delay-1s', 'orders.on-anything', content)],
  ['declare a queue of the orders service', (channel) => channel.assertQueue('orders.on-anything', eavesdropping)],
  ['declare a queue of its own name', (channel) => channel.assertQueue('order-system.on-anything', eavesdropping)],
  ['declare a queue of the broker’s naming', (channel) => channel.assertQueue('', eavesdropping)],
  [
    'bind the queue of a service to facts',
    (channel) => channel.bindQueue('account.on-order-placed', 'storefront.events', 'identity.#'),
  ],
  ['read the queue of a service', (channel) => channel.get('account.on-order-placed')],
] satisfies [string, (channel: ConfirmChannel) => unknown][])('an order system may not %s', async (_what, attempt) => {
  expect(await refusalOf(attempt, 'order-system')).toBe(403);
});

it('health may list dead letters, write what is done with them into the audit log, and send them back', async () => {
  const bus = await connectRabbitmq({ url: amqpOf('health'), topology, logger: logs.logger, name: 'health' });
  await using _ = { [Symbol.asyncDispose]: () => bus.close() };
  const order = newEvent(ordersEvents.orderPlaced, 'order-3', {} as never);
  const client = await connectRabbitmq({
    url: amqpOf('order-system'),
    topology,
    logger: logs.logger,
    name: 'order-system',
  });
  expect(await client.publish([order])).toEqual([{ id: order.id, confirmed: true }]);
  await client.close();
  const ofAccount = ({ event, queue }: DeadLetter) =>
    'id' in event && event.id === order.id && queue === 'account.on-order-placed';
  const letter = () => bus.deadLetters.list({ match: ofAccount });
  const first = await eventually(async () => (await letter())[0], 'the dead letter of account');
  const entry = newEvent(
    auditEvents.health,
    'dead-letters',
    auditRecord(operator, 'dead-letters-replayed', { object: { type: 'dead-letters', id: null } }),
  );
  expect(await bus.publish([entry])).toEqual([{ id: entry.id, confirmed: true }]);
  expect(await bus.deadLetters.replay(ofAccount)).toBe(1);
  await eventually(async () => {
    const [again] = await letter();
    return again !== undefined && again.diedAt !== first.diedAt;
  }, 'account to give it up once more');
});

it.each([
  ['publish a fact of identity', (channel) => channel.publish('storefront.events', foreign.type, content)],
  ['forge a dead letter', (channel) => channel.publish('storefront.dead-letters', 'billing.on-order-placed', content)],
  ['read the queue of a service', (channel) => channel.get('account.on-order-placed')],
  ['declare a queue', (channel) => channel.assertQueue('health.on-anything', eavesdropping)],
  ['delete the dead letters of all', (channel) => channel.deleteQueue('storefront.dead')],
] satisfies [string, (channel: ConfirmChannel) => unknown][])('health may not %s', async (_what, attempt) => {
  expect(await refusalOf(attempt, 'health')).toBe(403);
});

it('what account publishes as its own fact, and says is one of identity, is a dead letter', async () => {
  const event = newEvent(identityEvents.userRegistered, 'user_2', {} as never);
  const type = 'account.wishlist-item-added';
  const forged = Buffer.from(JSON.stringify(event));
  expect(await refusalOf((channel) => channel.publish('storefront.events', type, forged))).toBeUndefined();
  const bus = await connectRabbitmq({ url: amqpUrl, topology, logger: logs.logger, name: 'operator' });
  await using _ = { [Symbol.asyncDispose]: () => bus.close() };
  await eventually(async () => {
    const letters = await bus.deadLetters.list({ match: ({ event }) => 'id' in event && event.id === event.id });
    return letters.some(({ reason }) => reason.includes(`published as ${type} and says that it is ${event.type}`));
  }, 'the dead letter of what was forged');
});

it('account may read and write its own database, and no other', async () => {
  const own = await mongoose.createConnection(mongodbOf('account')).asPromise();
  opened.defer(() => own.close());
  const server = own.getClient();
  expect((await server.db('account').listCollections().toArray()).length).toBeGreaterThan(0);
  const refused = { codeName: 'Unauthorized' };
  await expect(server.db('identity').collection('users').findOne({})).rejects.toMatchObject(refused);
  await expect(server.db('identity').collection('users').insertOne({})).rejects.toMatchObject(refused);
  await expect(server.db('identity').collection('users').deleteMany({})).rejects.toMatchObject(refused);
  await expect(server.db('admin').command({ usersInfo: 1 })).rejects.toMatchObject(refused);
});
