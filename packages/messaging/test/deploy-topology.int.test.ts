import { topology } from '@storefront/contracts';
import { eventually, freshVhost, memoryLogger } from '@storefront/testing';
import { connect as connectAmqp, type Channel } from 'amqplib';
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { connectRabbitmq, deployTopology, type TopologyStep } from '../src/index.ts';
import { argumentsOfFormerVersion, delayQueuesOfFormerVersion } from './former-version.ts';

const shared = [
  'storefront.dead',
  'storefront.wait-1s',
  'storefront.wait-10s',
  'storefront.wait-60s',
  'storefront.wait-300s',
];
const allQueues = [...shared, ...topology.map(({ queue }) => queue)];
const managementUrl = () => inject('rabbitmqManagementUrl');

let url: string;
let channel: Channel;
beforeEach(async () => {
  const vhost = await freshVhost('topology');
  url = vhost.url;
  const connection = await connectAmqp(url);
  channel = await connection.createChannel();
  return async () => {
    await connection.close();
    await vhost.drop();
  };
});

function summary(steps: readonly TopologyStep[]): Record<string, string[]> {
  const groups = Object.groupBy(steps, ({ was }) => was);
  return Object.fromEntries(Object.entries(groups).map(([was, those]) => [was, those.map(({ what }) => what)]));
}

const named = (queues: readonly string[]) => queues.map((queue) => `queue ${queue}`);
const policies = ['policy storefront-subscriptions', 'policy storefront-dead-letters'];

test('an empty broker gets everything; the second time there is nothing left to do', async () => {
  const everything = ['exchange storefront.events', ...named(allQueues), ...policies];
  expect(summary(await deployTopology({ url, managementUrl: managementUrl(), topology }))).toEqual({
    made: everything,
  });
  expect(summary(await deployTopology({ url, managementUrl: managementUrl(), topology }))).toEqual({
    present: everything,
  });
  for (const queue of allQueues) await channel.checkQueue(queue);
});

test('without the management interface it says which policies it left', async () => {
  const steps = await deployTopology({ url, topology });
  expect(summary(steps)['left']).toEqual(policies);
  expect(steps.at(-1)?.detail).toBe(
    '{"message-ttl":2592000000} needs the management interface: set RABBITMQ_MANAGEMENT_URL',
  );
});

test('the policies are on the queues, and one that somebody changed is put back', async () => {
  const vhost = new URL(url).pathname.slice(1);
  const management = new URL(managementUrl());
  const authorization = `Basic ${Buffer.from(`${management.username}:${management.password}`).toString('base64')}`;
  management.username = '';
  management.password = '';
  const ask = async (path: string, init?: RequestInit) =>
    fetch(new URL(`/api/${path}`, management), {
      ...init,
      headers: { authorization, 'content-type': 'application/json' },
    });

  await deployTopology({ url, managementUrl: managementUrl(), topology });
  await eventually(async () => {
    const queues = (await (await ask(`queues/${vhost}`)).json()) as { name: string; policy?: string }[];
    const policyOf = Object.fromEntries(queues.map(({ name, policy }) => [name, policy]));
    expect(policyOf).toMatchObject({
      'storefront.dead': 'storefront-dead-letters',
      ...Object.fromEntries(topology.map(({ queue }) => [queue, 'storefront-subscriptions'])),
    });
    return true;
  }, 'the policies to apply');

  const body = JSON.stringify({
    pattern: '^storefront\\.dead$',
    definition: { 'message-ttl': 5 },
    'apply-to': 'queues',
  });
  await ask(`policies/${vhost}/storefront-dead-letters`, { method: 'PUT', body });
  const steps = await deployTopology({ url, managementUrl: managementUrl(), topology });
  expect(steps.filter(({ was }) => was !== 'present')).toEqual([
    {
      what: 'policy storefront-dead-letters',
      was: 'changed',
      detail: 'from {"message-ttl":5} to {"message-ttl":2592000000}',
    },
  ]);
});

test('where the former version has declared its queues, they are used as they are', async () => {
  const former = await declareFormerVersion();
  const first = await deployTopology({ url, topology, former: 'name' });
  expect(summary(first)).toEqual({
    present: ['exchange storefront.events', 'queue storefront.dead'],
    made: named(shared.slice(1)),
    differs: named(topology.map(({ queue }) => queue)),
    left: [...former.delayQueues.map((queue) => `former queue ${queue}`), ...policies],
  });
  expect(first.find(({ was }) => was === 'differs')?.detail).toContain('x-delivery-limit');
  const second = await deployTopology({ url, topology, former: 'name' });
  expect(summary(second)).toEqual({ ...summary(first), made: undefined, present: expect.any(Array) });

  // Both versions side by side: the former one still declares its queues as it always did.
  await declareFormerVersion();
});

test('removes the delay queues of the former version when told to, but none that still holds a message', async () => {
  const { delayQueues } = await declareFormerVersion();
  const [waiting = '', ...empty] = delayQueues.filter((queue) => queue.endsWith('300s'));
  channel.sendToQueue(waiting, Buffer.from('an event'), { persistent: true });
  await eventually(async () => (await channel.checkQueue(waiting)).messageCount === 1, 'the message');
  const steps = await deployTopology({ url, topology, former: 'remove' });
  expect(steps.find(({ what }) => what === `former queue ${waiting}`)).toMatchObject({
    was: 'left',
    detail: 'it has 1 messages',
  });
  const removed = delayQueues.filter((queue) => queue !== waiting).map((queue) => `former queue ${queue}`);
  expect(summary(steps)['removed']).toEqual(removed);
  expect(empty.length).toBeGreaterThan(0);
});

test('one queue with other arguments is reported and stops nothing', async () => {
  const [odd, ...others] = topology.map(({ queue }) => queue);
  if (!odd) throw new Error('the topology is empty');
  await channel.assertQueue(odd, { durable: true, arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': 7 } });
  const steps = await deployTopology({ url, topology });
  expect(summary(steps)).toMatchObject({ differs: [`queue ${odd}`], made: expect.arrayContaining(named(others)) });
  expect(steps.filter(({ was }) => was === 'failed')).toEqual([]);

  const bus = await connectRabbitmq({ url, topology, logger: memoryLogger().logger, name: 'test' });
  onTestFinished(() => bus.close());
  expect(bus.health()).toMatchObject({ connected: true, canPublish: true });
  expect(bus.health()).not.toHaveProperty('missing');
});

test('a broker that can not be reached is an error that says so', async () => {
  await expect(deployTopology({ url: 'amqp://127.0.0.1:1', topology })).rejects.toMatchObject({
    code: 'messaging_broker_away',
  });
});

/** What every service of the version before this one declared when it connected. */
async function declareFormerVersion(): Promise<{ delayQueues: string[] }> {
  await channel.assertExchange('storefront.events', 'topic', { durable: true });
  await channel.assertQueue('storefront.dead', {
    durable: true,
    arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': 1_000_000 },
  });
  const delayQueues: string[] = [];
  for (const { queue, types } of topology) {
    await channel.assertQueue(queue, { durable: true, arguments: argumentsOfFormerVersion });
    for (const type of types) await channel.bindQueue(queue, 'storefront.events', type);
    for (const delay of delayQueuesOfFormerVersion(queue)) {
      await channel.assertQueue(delay.name, { durable: true, arguments: delay.arguments });
      delayQueues.push(delay.name);
    }
  }
  return { delayQueues };
}
