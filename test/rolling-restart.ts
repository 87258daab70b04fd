import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { eventually } from '@storefront/testing';
import { expect, inject } from 'vitest';
import { clientOf, type Answer, type Client } from './client.ts';
import type { Person } from './people.ts';
import type { SeparateSystem } from './separate-system.ts';
import { alive, familyOf } from './start-process.ts';

/**
 * What a system needs for `expectRollingRestart`. There is one process of each service, and the next begins when the last has
 * ended: on a busy machine that takes longer than the gateway would wait where a second one goes on.
 */
export const rollingPatience = { UPSTREAM_RETRY_MS: '60000' };

/** Calls through one gateway, and through the other where the first refuses the connection, as a load balancer does. */
function balanced(...gateways: string[]): Client {
  return {
    async call(...request) {
      for (const gateway of gateways.slice(0, -1)) {
        try {
          return await clientOf(gateway).call(...request);
        } catch (error) {
          if (!isRefused(error)) throw error;
        }
      }
      return clientOf(gateways.at(-1) ?? '').call(...request);
    },
  };
}

function isRefused(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code === 'ECONNREFUSED';
}

/** `npm run proof` restarts every process, and pauses between no calls. */
const isProof = inject('isProof');
// So that the processes that start have most of the processor.
const betweenCallsMs = isProof ? 0 : 20;
// A gateway, the service that answers for sessions, and one that is called most.
const restartedInEachRun = ['gateway-1', 'identity', 'account'];
/** How many people use the system meanwhile. */
export const restartingPeople = isProof ? 8 : 4;

/** Somebody who goes on reading and writing; what went otherwise than it should is in `failed`. */
async function use(client: Client, { token }: Person, failed: string[], goOn: () => boolean, onDone: () => void) {
  const ask = async (expected: number, method: string, path: string, more: object = {}): Promise<Answer['body']> => {
    const answer = await client
      .call(method, path, { token, ...more })
      .catch((error: unknown) => ({ status: 0, body: inspect(error) }));
    if (answer.status !== expected) failed.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    onDone();
    await wait(betweenCallsMs);
    return answer.body;
  };
  for (let turn = 0; goOn(); turn += 1) {
    const homeAddress = `${turn} Mill Lane`;
    const body = { homeAddress, contactPhone: '+31201234567', city: 'Amsterdam', country: 'NL' };
    const { id } = await ask(201, 'POST', '/v1/users/me/addresses', { body, key: randomUUID() });
    await ask(200, 'GET', '/v1/categories');
    await ask(200, 'PATCH', '/v1/users/me', { body: { firstName: `Ada${turn}` } });
    const { data } = await ask(200, 'GET', '/v1/users/me/addresses');
    const { firstName } = await ask(200, 'GET', '/v1/users/me');
    await ask(200, 'GET', '/v1/notifications');
    await ask(204, 'DELETE', `/v1/users/me/addresses/${id}`);

    const addresses = data?.map((address: typeof body) => address.homeAddress);
    if (String(addresses) !== homeAddress) failed.push(`the one address is ${homeAddress}, found ${addresses}`);
    if (firstName !== `Ada${turn}`) failed.push(`the name is Ada${turn}, found ${firstName}`);
  }
}

/** Signals a process to end, waits for it to be gone and for its successor to be ready; how long it took to end. */
async function restart(system: SeparateSystem, name: string): Promise<number> {
  const pid = system.pidOf(name);
  const old = familyOf(pid).find((process) => process.pid === pid);
  if (!old) throw new Error(`${name} does not run`);
  const began = performance.now();
  process.kill(pid, 'SIGTERM');
  await eventually(() => alive([old]).length === 0, `${name} to end`, 60_000);
  const took = Math.round(performance.now() - began);
  await eventually(() => ![undefined, pid].includes(system.processes()[name]), `${name} to start again`, 60_000);
  const client = balanced(...system.gateways);
  await eventually(
    async () => (await client.call('GET', '/v1/health/ready')).body.status === 'ready',
    'all ready',
    60_000,
  );
  return took;
}

/** Restarts services and gateways while these people read and write: no request fails, and each process ends with 0. */
export async function expectRollingRestart(system: SeparateSystem, people: readonly Person[]): Promise<void> {
  const [first, second] = system.gateways;
  const running = Object.keys(system.processes());
  expect(running).toEqual(expect.arrayContaining([...restartedInEachRun, 'gateway-2', 'engagement']));
  // Its servers are one of each, so nothing can be done while one of them is away.
  const names = isProof ? running.filter((name) => !['mongodb', 'rabbitmq'].includes(name)) : restartedInEachRun;

  const failed: string[] = [];
  let done = 0;
  let isOver = false;
  const users = people.map((person, at) => {
    const client = at % 2 === 0 ? balanced(first, second) : balanced(second, first);
    return use(
      client,
      person,
      failed,
      () => !isOver && failed.length === 0,
      () => (done += 1),
    );
  });
  const endedIn: Record<string, number> = {};
  try {
    for (const name of names) {
      const before = done;
      endedIn[name] = await restart(system, name);
      await eventually(() => done > before + 40 || failed.length > 0, 'calls to go through');
    }
  } finally {
    isOver = true;
    await Promise.all(users);
  }
  expect(failed).toEqual([]);
  for (const name of names) expect(system.said()).toContain(`${name} ended (exit code 0)`);
  process.stderr.write(`rolling restart, ms to end: ${JSON.stringify(endedIn)}\n`);
}
