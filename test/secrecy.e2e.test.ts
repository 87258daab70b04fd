import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMailbox, type StartedMailbox } from '@storefront/backing';
import { startStack, type Stack } from '@storefront/stack';
import { eventually, freshVhost, memoryLogger, startProxy, type TcpProxy } from '@storefront/testing';
import { connect, type ChannelModel } from 'amqplib';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { patientClientOf, codeIn, mailTo, type Client, type Mail } from './client.ts';
import { patient } from './patient.ts';
import { expectOk } from './people.ts';

const person = { email: 'ada@example.com', password: 'a quiet lake in the morning' };
const business = { email: 'quay@example.com', password: person.password };
const names = { firstName: 'Ada', lastName: 'Lovelace' };

const logs = memoryLogger();
const events: string[] = [];
const prefix = `secrecy_${randomBytes(4).toString('hex')}_`;
let vhost: Awaited<ReturnType<typeof freshVhost>>;
let dataDir: string;
let mailbox: StartedMailbox;
/** The way to the mail server, closed until a test opens it. */
let wayToMail: TcpProxy;
let listener: ChannelModel;
let mongo: mongoose.mongo.MongoClient;
let stack: Stack;
let client: Client;

beforeAll(async () => {
  [vhost, mailbox] = await Promise.all([freshVhost('secrecy'), startMailbox({})]);
  wayToMail = await startProxy(mailbox.url);
  wayToMail.refuse();
  dataDir = await mkdtemp(join(tmpdir(), 'storefront-secrecy-'));
  mongo = await mongoose.mongo.MongoClient.connect(inject('mongodbUrl'));
  stack = await startStack({
    env: {
      PORT: '0',
      ...patient,
      MONGODB_URL: inject('mongodbUrl'),
      AMQP_URL: vhost.url,
      SMTP_URL: wayToMail.url,
      LOG_LEVEL: 'trace',
    },
    dataDir,
    bus: 'rabbitmq',
    empty: true,
    databasePrefix: prefix,
    loggerOf: (name) => logs.logger.child({ name }),
  });
  client = patientClientOf(stack.gateways[0] ?? '');
  listener = await connect(vhost.url);
  const channel = await listener.createChannel();
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, 'storefront.events', '#');
  await channel.consume(queue, (message) => {
    if (message) events.push(JSON.stringify([message.properties, message.fields, message.content.toString()]));
  });
});

afterAll(async () => {
  await stack?.close();
  await listener?.close();
  await mongo?.close();
  await wayToMail?.close();
  await mailbox?.close();
  await vhost?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Every document of every collection of every service. */
async function readDatabases(): Promise<string> {
  const { databases } = await mongo.db().admin().listDatabases({ nameOnly: true });
  const read = async (name: string) => {
    const collections = await mongo.db(name).collections();
    return Promise.all(collections.map(async (each) => [each.namespace, await each.find().toArray()]));
  };
  const ours = databases.map(({ name }) => name).filter((name) => name.startsWith(prefix));
  expect(ours).toEqual(expect.arrayContaining([`${prefix}identity`, `${prefix}engagement`]));
  return JSON.stringify(await Promise.all(ours.map(read)));
}

/** Every message that lies in a queue, dead ones and those that wait for another try included. */
async function readQueues(): Promise<string> {
  const management = new URL(inject('rabbitmqManagementUrl'));
  const authorization = `Basic ${Buffer.from(`${management.username}:${management.password}`).toString('base64')}`;
  management.username = '';
  management.password = '';
  const api = new URL(`/api/queues/${new URL(vhost.url).pathname.slice(1)}`, management);
  const headers = { authorization, 'content-type': 'application/json' };
  const queues = (await (await fetch(api, { headers })).json()) as { name: string; exclusive: boolean }[];
  expect(queues.map(({ name }) => name)).toContain('storefront.dead');
  const peek = async (name: string) => {
    const body = JSON.stringify({ count: 1000, ackmode: 'ack_requeue_true', encoding: 'auto' });
    const answer = await fetch(`${api.href}/${name}/get`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`RabbitMQ answered ${answer.status} for ${name}: ${await answer.text()}`);
    return answer.text();
  };
  const durable = queues.filter(({ exclusive }) => !exclusive);
  return (await Promise.all(durable.map(({ name }) => peek(name)))).join('\n');
}

async function readEverything(): Promise<Record<string, string>> {
  const [databases, queues] = await Promise.all([readDatabases(), readQueues()]);
  return { databases, queues, events: events.join('\n'), logs: logs.lines.join('') };
}

// A word of its own: six digits also turn up by chance within a time or a hash.
const holds = (text: string, secret: string) => new RegExp(`(?<![\\w.-])${secret}(?![\\w.-])`).test(text);

it('has the codes of a registration and a recovery in clear nowhere but in their mails, and their ids nowhere', async () => {
  const application = { phone: '+31 20 123 4567', businessName: 'Quay Wholesale', businessAddress: 'Pier 4' };
  const post = async (path: string, body: object) =>
    expectOk(await client.call('POST', path, { body, key: randomBytes(12).toString('hex') }));
  const { registrationId } = await post('/v1/auth/register', { ...person, ...names });
  const applied = await post('/v1/auth/trade/register', { ...business, ...names, ...application });
  const { recoveryId } = await post('/v1/auth/password/forgot', { email: stack.accounts.admin.email });
  const recipients = [person.email, business.email, stack.accounts.admin.email];
  await eventually(
    async () => (await mongo.db(`${prefix}engagement`).collection('deliveries').countDocuments()) >= recipients.length,
    'the mails to be due',
  );
  await eventually(() => logs.lines.some((line) => line.includes('mail server is away')), 'a try to send them');
  for (const email of recipients)
    await eventually(() => events.some((event) => event.includes(email)), `the event about ${email}`);
  const whileDue = await readEverything();

  wayToMail.accept();
  const codes = await Promise.all([
    mailTo(mailbox.page, person.email, /code/i).then(codeIn),
    mailTo(mailbox.page, business.email, /trade application/i).then(codeIn),
    mailTo(mailbox.page, stack.accounts.admin.email, /new password/i).then(linkIn),
  ]);
  const whileSent = await readEverything();
  // It was looked in the right places.
  for (const place of ['databases', 'events'] as const) expect(whileDue[place]).toContain(person.email);
  expect(whileDue.events).toContain('sealedCode');
  expect(whileDue.logs).toContain('/v1/auth/register');

  const secrets = [...codes, registrationId, applied.registrationId, recoveryId];
  for (const everything of [whileDue, whileSent])
    for (const [place, text] of Object.entries(everything))
      for (const secret of secrets) expect(holds(text, secret), `${secret} in the ${place}`).toBe(false);
  const [code, , link] = codes;
  const verified = await post('/v1/auth/verify', { registrationId, code });
  expect(verified.user.email).toBe(person.email);
  const reset = await post('/v1/auth/password/reset', { code: link, newPassword: 'rain over the old harbour' });
  expect(reset.revoked).toBe(true);
});

/** The code of the link in a mail. */
function linkIn({ Subject, Text }: Mail): string {
  const [, code] = /#code=([\w-]{43})/.exec(Text) ?? [];
  if (!code) throw new Error(`there is no link in the mail "${Subject}"`);
  return code;
}
