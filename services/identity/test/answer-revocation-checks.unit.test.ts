import { gatewayEvents, identityEvents, type Event } from '@storefront/contracts';
import type { Broadcast, Bus } from '@storefront/messaging';
import { eventually, memoryLogger, newEvent } from '@storefront/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answerRevocationChecks } from '../src/sessions/jobs/answer-revocation-checks.ts';

type Answering = Awaited<ReturnType<typeof answerRevocationChecks>>;

const none: ReadonlySet<string> = new Set();
const never = () => new Promise<never>(() => {});
let broadcast: Broadcast;
let published: Event[];
let read: () => Promise<ReadonlySet<string>>;
let publish: (events: readonly Event[]) => Promise<[]>;
let reads: number;
let answering: Answering;

beforeEach(async () => {
  published = [];
  reads = 0;
  read = async () => none;
  publish = async () => [];
  const bus = {
    broadcast: async (given: Broadcast) => void (broadcast = given),
    health: () => ({ canPublish: true }),
    publish(events: readonly Event[]) {
      published.push(...events);
      return publish(events);
    },
  } as unknown as Bus;
  const unpublished = () => {
    reads += 1;
    return read();
  };
  const { logger } = memoryLogger();
  answering = await answerRevocationChecks({ bus, revocations: { unpublished }, now: () => new Date(), logger });
});
afterEach(() => answering.stop());

const ask = (gateway: string, check: number) =>
  broadcast.handle(newEvent(gatewayEvents.revocationCheckRequested, gateway, { check }));
const answers = () => published.map(({ data }) => identityEvents.revocationsPublished.data.parse(data).checks);
const answered = (gateway: string, check: number) =>
  eventually(() => answers().some((checks) => checks[gateway] === check), `the answer to check ${check} of ${gateway}`);

it('answers a check by a read that begins after it', async () => {
  const { promise: halted, resolve: resume } = Promise.withResolvers<ReadonlySet<string>>();
  read = () => halted;
  ask('one', 1);
  await eventually(() => reads === 1, 'the read');
  ask('one', 2);
  ask('other', 5);
  resume(none);
  await answered('one', 1);
  expect(answers().find((checks) => 'one' in checks)).toEqual({ one: 1 });
  await answered('one', 2);
  expect(answers().at(-1)).toMatchObject({ one: 2, other: 5 });
  expect(reads).toBeGreaterThan(1);
});

it('keeps a check until the revocation that its read found is published', async () => {
  read = async () => new Set(['a']);
  ask('one', 1);
  await eventually(() => reads > 2, 'several reads');
  expect(published).toEqual([]);
  read = async () => none;
  await answered('one', 1);
});

it('answers although there is never a moment in which no revocation waits', async () => {
  read = async () => new Set([`r${reads}`, `r${reads + 1}`]);
  ask('one', 1);
  await answered('one', 1);
  ask('one', 2);
  expect(await answered('one', 2)).toBe(true);
});

it.each<[string, () => Promise<ReadonlySet<string>>]>([
  ['rejects', () => Promise.reject(new Error('away'))],
  [
    'throws at once',
    () => {
      throw new Error('away');
    },
  ],
])('goes on after a read that %s', async (_how, failing) => {
  read = failing;
  ask('one', 1);
  await eventually(() => reads > 0, 'the read');
  read = async () => none;
  ask('one', 2);
  expect(await answered('one', 2)).toBe(true);
});

it('goes on while nothing that is published is confirmed', async () => {
  publish = never;
  ask('one', 1);
  await answered('one', 1);
  ask('one', 2);
  expect(await answered('one', 2)).toBe(true);
});

it('begins no more than one answer a second while none is confirmed', async () => {
  publish = never;
  const began = performance.now();
  const timer = setInterval(() => ask('one', 1), 10);
  await eventually(() => reads === 3, 'the third read');
  clearInterval(timer);
  expect(performance.now() - began).toBeGreaterThan(1900);
});

it('has one read under way at most', async () => {
  const { promise: slow, resolve: end } = Promise.withResolvers<ReadonlySet<string>>();
  read = () => slow;
  const until = performance.now() + 1500;
  const timer = setInterval(() => ask('one', 1), 10);
  await eventually(() => performance.now() > until, 'time for another read');
  clearInterval(timer);
  expect(reads).toBe(1);
  end(none);
  await answered('one', 1);
});

it('ends, although nothing that is published is confirmed', async () => {
  publish = never;
  ask('one', 1);
  await answered('one', 1);
  await answering.stop();
  const before = reads;
  ask('one', 2);
  expect(reads).toBe(before);
});
