import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { clientOf, type Client } from './client.ts';
import { expectNothingLeft } from './nothing-left.ts';
import { signUpMany, type Person } from './people.ts';
import { startSeparateSystem, type SeparateSystem } from './separate-system.ts';
import { familyOf } from './start-process.ts';

// Few enough for one process to be more than the gateway lets in.
const maxInFlight = 32;
const slowClients = maxInFlight * 2;
const bytesThatWait = 3_250_000;
/** How long the load lasts. */
const seconds = inject('isProof') ? 20 : 3;

let system: SeparateSystem;
let client: Client;
let people: Person[];

beforeAll(async () => {
  system = await startSeparateSystem('overload', { MAX_IN_FLIGHT: String(maxInFlight) });
  client = clientOf(system.gateways[0]);
  people = await signUpMany(system.gateways[0], system.mailbox, 40);
});
afterAll(() => system?.close());

interface Timed {
  readonly status: number;
  readonly code: string | undefined;
  readonly retryAfter: string | null;
  readonly ms: number;
}

async function timed(work: ReturnType<Client['call']>): Promise<Timed> {
  const began = performance.now();
  const { status, headers, body } = await work;
  return { status, code: body?.code, retryAfter: headers.get('retry-after'), ms: performance.now() - began };
}

// A write costs so much more than asking for it that one process can ask for far more than can be done.
let turn = 0;
const write = () => {
  turn += 1;
  const { token = '' } = people[turn % people.length] ?? {};
  return timed(client.call('PATCH', '/v1/users/me', { token, body: { lastName: `Lovelace ${turn}` } }));
};
const readHealth = () => timed(client.call('GET', '/v1/health'));

/** Asks in so many loops at once; the answers. */
async function inLoops(count: number, ms: number, ask: () => Promise<Timed>): Promise<Timed[]> {
  const until = performance.now() + ms;
  const seen: Timed[] = [];
  const loop = async () => {
    while (performance.now() < until) seen.push(await ask());
  };
  await Promise.all(Array.from({ length: count }, loop));
  return seen;
}

/** Asks so often a second, however long the answers take. */
async function atRate(perSecond: number, ms: number, ask: () => Promise<Timed>): Promise<Timed[]> {
  const asked: Promise<Timed>[] = [];
  const began = performance.now();
  for (let passed = 0; passed < ms; passed = performance.now() - began) {
    while (asked.length < (passed / 1000) * perSecond) asked.push(ask());
    await wait(5);
  }
  return Promise.all(asked);
}

const p99 = (seen: readonly Timed[]) => seen.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(seen.length * 0.99)];
const statuses = (seen: readonly Timed[]) => [...new Set(seen.map(({ status }) => status))].toSorted((a, b) => a - b);

async function findCapacity(): Promise<number> {
  const found: number[] = [];
  for (const loops of [4, 8, 16]) {
    const seen = await inLoops(loops, 1000, write);
    found.push(seen.filter(({ status }) => status === 200).length);
  }
  return Math.max(...found);
}

interface Load {
  readonly asked: readonly Timed[];
  readonly accepted: readonly Timed[];
  readonly shed: readonly Timed[];
  readonly health: readonly Timed[];
}

async function overload(): Promise<Load & { readonly capacity: number }> {
  const capacity = await findCapacity();
  const [asked, health] = await Promise.all([
    atRate(capacity * 3, seconds * 1000, write),
    inLoops(1, seconds * 1000, readHealth),
  ]);
  const accepted = asked.filter(({ status }) => status === 200);
  const shed = asked.filter(({ status }) => status === 503);
  const figures = {
    'capacity per second': capacity,
    'asked per second': Math.round(asked.length / seconds),
    'accepted per second': Math.round(accepted.length / seconds),
    'p99 accepted, ms': Math.round(p99(accepted) ?? 0),
    'p99 shed, ms': Math.round(p99(shed) ?? 0),
    'p99 health, ms': Math.round(p99(health) ?? 0),
  };
  process.stderr.write(`overload: ${JSON.stringify(figures)}\n`);
  return { capacity: capacity * seconds, asked, accepted, shed, health };
}

/** A tenth at least of what comes is too much, and a tenth at least of what can be done is done. */
const isOverloadAsMeant = ({ capacity, asked, accepted, shed }: Awaited<ReturnType<typeof overload>>) =>
  shed.length > asked.length / 10 && accepted.length > capacity / 10;

describe('three times as much as can be done', () => {
  it('is turned away with Retry-After, while what is taken is answered, and is over at once', async () => {
    let load = await overload();
    // What this machine can do may have changed since it was measured, but not each time.
    for (let tries = 1; tries < 4 && !isOverloadAsMeant(load); tries += 1) load = await overload();
    expect(load).toSatisfy(isOverloadAsMeant);
    const { asked, shed, health } = load;
    expect(statuses(asked)).toEqual([200, 503]);
    expect([...new Set(shed.map(({ code }) => code))]).toEqual(['overloaded']);
    expect(shed.filter(({ retryAfter }) => !/^[1-9]\d*$/.test(retryAfter ?? ''))).toEqual([]);
    expect(statuses(health)).toEqual([200]);

    await eventually(
      async () => String(statuses(await inLoops(4, 500, write))) === '200',
      'everything to be accepted again',
    );
  });
});

/** Clients that ask for something with the bytes given, and take nothing of what is answered. */
async function holdOpen(bytes: string): Promise<Socket[]> {
  const { hostname, port } = new URL(system.gateways[0]);
  const sockets = Array.from({ length: slowClients }, () => connect(Number(port), hostname));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(bytes);
  }
  return sockets;
}

describe('twice as many slow clients as there is room for', () => {
  const expectRoom = async () => {
    await wait(500);
    const seen = await inLoops(4, 1500, write);
    expect(statuses(seen)).toEqual([200]);
  };

  it('hold up nobody by sending their bodies slowly', async () => {
    const sockets = await holdOpen(
      'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
    );
    const trickle = setInterval(() => sockets.forEach((socket) => socket.write(' ')), 100);
    onTestFinished(() => clearInterval(trickle));
    await expectRoom();
  });

  it('hold up nobody by not reading their answers', async () => {
    const { body } = await client.call('GET', '/openapi.json');
    // More than the buffers of a connection take, so that answers wait; and few enough to leave room for others.
    const times = Math.ceil(bytesThatWait / JSON.stringify(body).length);
    await holdOpen('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(times));
    await expectRoom();
  });
});

it('starts neither MongoDB nor RabbitMQ where it is given them, ends with 0 and takes processes.json away', async () => {
  const names = Object.keys(system.description.processes ?? {});
  expect(names).toEqual(expect.arrayContaining(['gateway-1', 'identity']));
  expect(names.filter((name) => name === 'mongodb' || name === 'rabbitmq')).toEqual([]);
  const family = familyOf(system.pid);
  expect(await system.end()).toBe(0);
  await expectNothingLeft(family, system.description);
  expect(existsSync(system.processesFile)).toBe(false);
});
