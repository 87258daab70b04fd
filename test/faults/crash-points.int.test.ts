import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fact, identityEvents, newId, toEvent } from '@storefront/contracts';
import { eventually, freshDatabase, freshVhost } from '@storefront/testing';
import { connect } from 'amqplib';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startMailServer, type MailStep } from './crash-points/mail-server.ts';
import { ended, runProgram } from './crash-points/run-program.ts';
import { steps } from './crash-points/steps.ts';

let database: ReturnType<typeof freshDatabase>;
let vhost: Awaited<ReturnType<typeof freshVhost>>;
let connection: mongoose.Connection;
const collection = (name: string) => connection.getClient().db(connection.name).collection<any>(name);

beforeAll(async () => {
  database = freshDatabase('crashes');
  vhost = await freshVhost('crashes');
  connection = await mongoose.createConnection(database.url).asPromise();
});

afterAll(async () => {
  await connection.close();
  await Promise.all([database.drop(), vhost.drop()]);
});

/** All messages in a queue. Its consumer must have ended, so that unacknowledged messages are counted too. */
async function messagesIn(queue: string): Promise<number> {
  const broker = await connect(vhost.url);
  try {
    const channel = await broker.createChannel();
    return (await channel.checkQueue(queue)).messageCount;
  } finally {
    await broker.close();
  }
}

describe('an event whose service is killed', () => {
  test.each(steps)('when it is %s has its effect once', { timeout: 180_000 }, async (killAt) => {
    const orderId = `order-${killAt}`;
    const input = { mongodbUrl: database.url, amqpUrl: vhost.url, orderId };
    const first = runProgram('publisher-and-consumer.ts', { ...input, killAt });
    expect(await ended(first)).toBe('SIGKILL');

    const second = runProgram('publisher-and-consumer.ts', input);
    // The first program may have completed everything, so wait until the second has started.
    await once(second, 'message');
    const effects = () => collection('effects').countDocuments({ _id: { $regex: `^${orderId} ` } });
    await eventually(async () => (await effects()) === 1, 'the effect', 20_000);
    await eventually(
      async () => (await collection('orders').countDocuments({ 'outbox.0': { $exists: true } })) === 0,
      'the outbox to be empty',
      20_000,
    );
    await eventually(async () => (await messagesIn('crashing.on-placed')) === 0, 'the queue to be empty');
    second.disconnect();
    expect(await ended(second)).toBe(0);

    expect(await effects()).toBe(1);
    expect(await messagesIn('crashing.on-placed')).toBe(0);
    expect(await messagesIn('storefront.dead')).toBe(0);
  });
});

describe('a mail whose service is killed', () => {
  const { publicKey } = generateKeyPairSync('ed25519');

  // A mail that was sent before the kill is not recorded, so it is sent again with the same id. One of few is marked when
  // it is taken: from then on it is in doubt.
  const arrivals = { connected: 1, sent: 2, taken: 2 } as const satisfies Record<MailStep, number>;

  /** The moment that leaves most to be repaired; the proof takes all. */
  const moments = inject('isProof') ? (Object.keys(arrivals) as MailStep[]) : (['sent'] as const);

  test.each(moments)('when it is %s arrives once by its id', { timeout: 180_000 }, async (killAt) => {
    let victim: ReturnType<typeof runProgram> | undefined;
    const server = await startMailServer((step) => {
      if (step === killAt) victim?.kill('SIGKILL');
    });
    const env = {
      MONGODB_URL: database.url,
      AMQP_URL: vhost.url,
      SMTP_URL: server.url,
      MAIL_FROM: 'Shop <shop@example.com>',
      MAIL_DOMAIN: 'shop.example.com',
      SHOP_URL: 'https://shop.example.com',
      API_URL: 'https://api.example.com',
      CODE_SEALING_KEY: randomBytes(32).toString('base64url'),
      API_SECRET: randomBytes(32).toString('base64url'),
      INTERNAL_TOKEN_PUBLIC_KEY: JSON.stringify(publicKey.export({ format: 'jwk' })),
      LOG_LEVEL: 'silent',
      NODE_ENV: 'test',
    };
    const email = `${killAt}@example.com`;
    victim = runProgram('engagement.ts', { env });
    await once(victim, 'message');
    await publishVerified(email);
    expect(await ended(victim)).toBe('SIGKILL');
    victim = undefined;

    const second = runProgram('engagement.ts', { env });
    await once(second, 'message');
    await endDoubt(email);
    const delivery = await eventually(
      () => collection('deliveries').findOne({ email, status: 'delivered' }),
      'the mail',
      60_000,
    );
    await eventually(
      async () => (await collection('deliveries').countDocuments({ 'outbox.0': { $exists: true } })) === 0,
      'the outbox to be empty',
    );
    await eventually(async () => (await messagesIn('engagement.on-user-verified')) === 0, 'the queue to be consumed');
    second.disconnect();
    expect(await ended(second)).toBe(0);
    server.close();

    expect(new Set(server.taken)).toEqual(new Set([`${delivery._id}@${env.MAIL_DOMAIN}`]));
    expect(server.taken.length).toBeLessThanOrEqual(arrivals[killAt]);
    expect(await collection('deliveries').countDocuments({ email })).toBe(1);
    expect(await collection('notifications').countDocuments({ audience: delivery.userId })).toBe(1);
    expect(await messagesIn('engagement.on-user-verified')).toBe(0);
    expect(await messagesIn('storefront.dead')).toBe(0);
  });
});

/** Waits until the mail is in doubt, and ends the two minutes that it then waits for a sender that was only halted. */
async function endDoubt(email: string): Promise<void> {
  const inDoubt = { email, status: 'pending', inDoubt: 1, dueAt: { $gt: new Date() } };
  await eventually(() => collection('deliveries').findOne(inDoubt), 'the mail to be in doubt', 60_000);
  await collection('deliveries').updateOne(inDoubt, { $set: { dueAt: new Date() }, $inc: { version: 1 } });
}

async function publishVerified(email: string): Promise<void> {
  const verified = fact(identityEvents.userVerified, newId('user'), {
    email,
    firstName: 'Ada',
    lastName: 'Byron',
    role: 'retail' as const,
  });
  const broker = await connect(vhost.url);
  const channel = await broker.createConfirmChannel();
  const event = toEvent(verified, { sequence: 1, time: new Date() });
  channel.publish('storefront.events', event.type, Buffer.from(JSON.stringify(event)), { persistent: true });
  await channel.waitForConfirms();
  await broker.close();
}
