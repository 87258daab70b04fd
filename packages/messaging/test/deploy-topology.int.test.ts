import { topology } from '@storefront/contracts';
import { eventually, freshVhost, memoryLogger } from '@storefront/testing';
import { connect as connectAmqp, type Channel } from 'amqplib';
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { connectRabbitmq, deployTopology, type TopologyStep } from '../src/index.ts';

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
