import { setTimeout as wait } from 'node:timers/promises';
import { fact, identityEvents, newId, toEvent, topology } from '@storefront/contracts';
import { eventually } from '@storefront/testing/eventually';
import { connect, type ConfirmChannel } from 'amqplib';
import { createClient } from '../client.ts';
import { countLeftovers } from '../drained.ts';
import type { MailReader } from '../mail-reader.ts';
import { randomOf } from '../random.ts';
import { poisonousDomain } from '../system/system.ts';
import type { MeasuredFact } from '../report.ts';
import type { Scenario } from './scenario.ts';

const exchange = 'storefront.events';
const deadQueue = 'storefront.dead';
const healthyMessages = 1000;
const poisonMessages = 10;
const intervalMs = 10;
/** Each of them takes a copy of every poison message. */
const poisonedQueues = topology.filter(({ types }) => types.includes(identityEvents.userVerified.type)).length;
const deadLettersOfPoison = poisonMessages * poisonedQueues;

/** Poison messages among healthy ones: each becomes one dead letter of each queue and delays no other message. */
export const poison: Scenario = async ({ system, mails, mongodb }, { seed, full, say }) => {
  const count = full ? healthyMessages : healthyMessages / 10;
  const { amqp } = system.backing.direct;
  const broker = await connect(amqp);
  const channel = await broker.createConfirmChannel();
  try {
    await send(channel, mails, 'warm-up', 50, () => undefined);
    say(`${count} healthy messages, and as many with ${poisonMessages} poison messages among them, in turn`);
    const without: Delays[] = [];
    const among: Delays[] = [];
    // In turn, and compared by the median of the rounds, so that what else occupies the machine for a moment does not count.
    const each = count / poisonMessages;
    for (let round = 0; round < poisonMessages; round += 1) {
      without.push(await send(channel, mails, `healthy-${round}`, each, () => undefined));
      among.push(
        await send(channel, mails, `among-poison-${round}`, each, (at) => {
          if (at !== Math.floor(each / 2)) return;
          publish(channel, identityEvents.userVerified.type, round % 2 === 0 ? 'no JSON' : '{"data":1}');
        }),
      );
    }
    const dead = await eventually(
      async () => {
        const { dead: letters } = await countLeftovers(mongodb, amqp);
        return letters >= deadLettersOfPoison ? letters : undefined;
      },
      'the dead letters',
      30_000,
    );
    // These are expected. Any that remain at the end of the run are not.
    await channel.purgeQueue(deadQueue);
    const client = createClient(system.stack.gateways, randomOf(seed, 'poison'));
    return {
      stats: client.stats,
      faults: poisonMessages,
      facts: [
        {
          what: 'dead letters beyond one for each poison message and queue',
          found: dead - deadLettersOfPoison,
          atMost: 0,
        },
        ...compare('in the queue with the poison messages', 'sameQueue', without, among),
        ...compare('in another queue', 'otherQueue', without, among),
      ],
    };
  } finally {
    await broker.close();
  }
};

/**
 * Letters that end the conversation with the mail server, among others: they delay no other letter, and are given up after
 * three attempts.
 */
export const mailPoison: Scenario = async ({ system, mails, mongodb }, { seed, full, say }) => {
  const count = full ? healthyMessages : healthyMessages / 10;
  const broker = await connect(system.backing.direct.amqp);
  const channel = await broker.createConfirmChannel();
  try {
    await send(channel, mails, 'mail-warm-up', 50, () => undefined);
    say(`${count} letters, then as many with ${poisonMessages} poisonous ones among them`);
    const without = await send(channel, mails, 'mail-healthy', count, () => undefined);
    const every = count / poisonMessages;
    const among = await send(channel, mails, 'mail-among', count, (at) => {
      if (at % every === Math.floor(every / 2)) publishVerified(channel, `letter-${at}@${poisonousDomain}`);
    });
    const deliveries = mongodb.db('storefront_engagement').collection('deliveries');
    const poisonous = { email: { $regex: `@${poisonousDomain}$` } };
    say('Waiting for the further attempts of the poisonous letters …');
    await eventually(
      async () => (await deliveries.countDocuments({ ...poisonous, status: 'failed' })) === poisonMessages,
      'the poisonous letters to be given up',
      180_000,
    );
    const given = await deliveries.find({ ...poisonous, reason: 'in_doubt' }).toArray();
    const attempts = given.map(({ attemptCount }) => Number(attemptCount));
    await mails.catchUp();
    const healthy = ['mail-healthy', 'mail-among'].flatMap((name) => addressesOf(name, count));
    const notOnce = healthy.filter((email) => mails.to(email).length !== 1).length;
    const client = createClient(system.stack.gateways, randomOf(seed, 'mail-poison'));
    return {
      stats: client.stats,
      faults: poisonMessages,
      facts: [
        { what: 'poisonous letters given up in doubt', found: given.length, atLeast: poisonMessages },
        { what: 'attempts of the one with the most', found: Math.max(...attempts), atMost: 3 },
        { what: 'attempts of the one with the fewest', found: Math.min(...attempts), atLeast: 3 },
        { what: 'other letters that did not arrive exactly once', found: notOnce, atMost: 0 },
        ...compare('among poisonous letters', 'sameQueue', [without], [among]),
      ],
    };
  } finally {
    await broker.close();
  }
};

/** For each message, the ms until its mail arrived; `sameQueue` is that of `user-verified`. */
interface Delays {
  readonly sameQueue: readonly number[];
  readonly otherQueue: readonly number[];
}

function compare(
  where: string,
  queue: keyof Delays,
  without: readonly Delays[],
  among: readonly Delays[],
): MeasuredFact[] {
  const p99Of = (rounds: readonly Delays[]) => {
    const ofEach = rounds.map((delays) => quantile(delays[queue], 0.99));
    return quantile(ofEach, 0.5);
  };
  const [before, after] = [p99Of(without), p99Of(among)];
  return [
    { what: `ms from publishing to the mail ${where}, p99, without poison`, found: before },
    { what: `the same ${where}, with poison`, found: after },
    { what: `times as long ${where}`, found: Math.round((after / before) * 100) / 100, atMost: 2 },
  ];
}

/** The least value that `share` of the values do not exceed. */
function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;
}

/**
 * Publishes messages at a constant rate, to two queues in turn, and calls `between` before each. Returns the delays once all
 * mails have arrived.
 */
async function send(
  channel: ConfirmChannel,
  mails: MailReader,
  name: string,
  count: number,
  between: (at: number) => void,
): Promise<Delays> {
  const publishedAt = new Map<string, number>();
  const base = performance.now();
  for (let at = 0; at < count; at += 1) {
    await wait(Math.max(0, base + at * intervalMs - performance.now()));
    between(at);
    const email = addressOf(name, at);
    publishedAt.set(email, Date.now());
    if (at % 2 === 0) publishVerified(channel, email);
    else publishPasswordChanged(channel, email);
  }
  await channel.waitForConfirms();
  const arrivals = await eventually(
    () => {
      const found = [...publishedAt].map(([email, at]) => (mails.to(email)[0]?.arrivedAt ?? Number.NaN) - at);
      return found.some(Number.isNaN) ? undefined : found;
    },
    `all ${count} mails of ${name}`,
    60_000,
  );
  return {
    sameQueue: arrivals.filter((_, at) => at % 2 === 0),
    otherQueue: arrivals.filter((_, at) => at % 2 === 1),
  };
}

const addressOf = (name: string, at: number) => `${name}-${at}@example.com`;
const addressesOf = (name: string, count: number) => Array.from({ length: count }, (_, at) => addressOf(name, at));
const person = { firstName: 'Ada', lastName: 'Byron', role: 'retail' as const };

/** Publishes an event that is mailed to this address. */
function publishVerified(channel: ConfirmChannel, email: string): void {
  const verified = fact(identityEvents.userVerified, newId('user'), { email, ...person });
  publish(channel, verified.type, JSON.stringify(toEvent(verified, { sequence: 1, time: new Date() })));
}

/** As `publishVerified`, by way of another queue. */
function publishPasswordChanged(channel: ConfirmChannel, email: string): void {
  const changed = fact(identityEvents.passwordChanged, newId('user'), { email, ...person, how: 'change' });
  publish(channel, changed.type, JSON.stringify(toEvent(changed, { sequence: 1, time: new Date() })));
}

function publish(channel: ConfirmChannel, type: string, content: string): void {
  channel.publish(exchange, type, Buffer.from(content), { persistent: true, mandatory: true, type });
}
