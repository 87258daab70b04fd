import { expect, test } from 'vitest';
import { createFaultInjector } from './fault-injector.ts';
import { startLinks } from './links.ts';
import type { SystemUnderTest } from './system.ts';

/** An injector for two instances with links to MongoDB. It records what happens to their proxies. */
async function openInjector(sendAgain: () => Promise<number> = async () => 0) {
  const links = await startLinks(['health-1', 'health-2'], { mongodb: 'mongodb://127.0.0.1:9', amqp: [] });
  const happened: string[] = [];
  for (const name of links.names) {
    for (const proxy of links.proxiesOf(name)) {
      for (const what of ['silence', 'delay', 'accept'] as const)
        proxy[what] = () => void happened.push(`${what} ${name}`);
    }
  }
  const system = {
    backing: { servers: [], roles: [], links },
    stack: { processes: () => ({}) },
    copies: { sendAgain },
  } as unknown as SystemUnderTest;
  const injector = createFaultInjector(system, 7, () => undefined);
  return { injector, happened, [Symbol.asyncDispose]: () => links.close() };
}

test('a fault on the whole network begins when that on one link is over: the end of one would end the other', async () => {
  await using rig = await openInjector();
  await Promise.all([
    rig.injector.inject({ kind: 'black-hole', target: 'health-1 to mongodb', ms: 50 }),
    rig.injector.inject({ kind: 'latency', target: 'mongodb', ms: 1, delayMs: 9 }),
  ]);
  expect(rig.happened).toEqual([
    'silence health-1 to mongodb',
    'accept health-1 to mongodb',
    'delay health-1 to mongodb',
    'delay health-2 to mongodb',
    'accept health-1 to mongodb',
    'accept health-2 to mongodb',
  ]);
});

test('old events count as sent once the broker is there and one was sent', async () => {
  const tries = [new Error('no broker'), 0, 50];
  await using rig = await openInjector(async () => {
    const next = tries.shift();
    if (next instanceof Error) throw next;
    return next ?? 0;
  });
  await rig.injector.inject({ kind: 'old-events', target: 'events', count: 50 });
  expect(tries).toEqual([]);
  expect(rig.injector.failures()).toEqual([]);
});
