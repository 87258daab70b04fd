import { setTimeout as wait } from 'node:timers/promises';
import { call } from '../api.ts';
import type { Lab } from '../lab.ts';
import { percentiles } from '../percentiles.ts';
import type { Line } from '../report.ts';
import type { RunningStack } from '../system/start-stack.ts';

const registrations = 150;
const mailWaitMs = 30_000;
const databases = { rabbitmq: 'bench', inProcess: 'bench-in-process' };

/** From a user being written, with the event in its outbox, to the mail with the code handed to the mail server. */
export async function measureMail(lab: Lab): Promise<Line[]> {
  const { mongodb } = await lab.backing();
  const overRabbitmq = await handOver(lab, await lab.separate(), databases.rabbitmq);
  await lab.stopSeparate();
  lab.say('The same on the bus in process …');
  const alone = await lab.start(['--bus', 'in-process'], { database: databases.inProcess, url: mongodb.url });
  const inProcess = await handOver(lab, alone, databases.inProcess);
  await alone.stop();
  return [
    { what: 'user-registered to mail, RabbitMQ', ...judged(overRabbitmq, 250) },
    { what: 'user-registered to mail, in process', ...judged(inProcess, 50) },
  ];
}

async function handOver(lab: Lab, stack: RunningStack, database: string): Promise<number[]> {
  const [gateway = ''] = stack.gateways;
  const email = (at: number) => `mail-${at}@bench.example.com`;
  lab.say(`Registering ${registrations} people …`);
  for (let at = -10; at < registrations; at += 1) {
    // The first ten are not counted: nothing is warm yet.
    const body = { email: email(at), password: 'lemon-raft-4-orbit', firstName: 'Robin', lastName: 'Reader' };
    await call(gateway, 'POST', '/v1/auth/register', { body });
    await wait(20);
  }
  const users = (await lab.database('identity', database)).collection('users');
  const found = await users.find({ email: /^mail-\d+@/ }, { projection: { email: 1, createdAt: 1 } }).toArray();
  const writtenAt = new Map(found.map((user) => [String(user.email), (user.createdAt as Date).getTime()]));
  const deadline = Date.now() + mailWaitMs;
  for (;;) {
    const arrivedAt = await arrivals(stack.mailbox);
    const took = [...writtenAt].flatMap(([to, at]) => (arrivedAt.has(to) ? (arrivedAt.get(to) ?? 0) - at : []));
    if (took.length >= registrations) return took;
    if (Date.now() > deadline) throw new Error(`only ${took.length} of ${registrations} mails came`);
    await wait(100);
  }
}

async function arrivals(mailbox: string): Promise<Map<string, number>> {
  const { messages } = await call<{ messages: { To: { Address: string }[]; Created: string }[] }>(
    mailbox,
    'GET',
    `/api/v1/messages?limit=${registrations + 50}`,
  );
  return new Map(messages.map(({ To, Created }) => [To[0]?.Address ?? '', Date.parse(Created)]));
}

function judged(milliseconds: readonly number[], goal: number): Omit<Line, 'what'> {
  const { p50, p99 } = percentiles(milliseconds);
  return { result: `p99 ${Math.round(p99)} ms`, goal: `≤ ${goal} ms`, met: p99 <= goal, p50, p99 };
}
