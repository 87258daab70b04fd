import { setTimeout as wait } from 'node:timers/promises';
import { call } from '../api.ts';
import type { BenchContext } from '../context.ts';
import { percentiles } from '../percentiles.ts';
import type { ReportLine } from '../report.ts';
import type { StackProcess } from '../system/stack-process.ts';

const registrations = 150;
const mailTimeoutMs = 30_000;

/** The time from writing a registration, with the event in its outbox, until the mail server has the mail with the code. */
export async function measureMail(context: BenchContext): Promise<ReportLine[]> {
  const { mongodb } = await context.backing();
  const overRabbitmq = await measureMails(context, await context.separateStack());
  await context.stopSeparateStack();
  context.say('The same on the in-process bus …');
  const inProcessStack = await context.startStack(['--bus', 'in-process'], {
    database: 'bench-in-process',
    url: mongodb.url,
  });
  const inProcess = await measureMails(context, inProcessStack);
  await inProcessStack.stop();
  return [
    { what: 'user-registered to mail, RabbitMQ', ...lineOf(overRabbitmq, 250) },
    { what: 'user-registered to mail, in process', ...lineOf(inProcess, 50) },
  ];
}

async function measureMails(context: BenchContext, stack: StackProcess): Promise<number[]> {
  const [gateway = ''] = stack.gateways;
  const email = (at: number) => `mail-${at}@bench.example.com`;
  context.say(`Registering ${registrations} people …`);
  for (let at = -10; at < registrations; at += 1) {
    // The first ten warm up and are not counted.
    const body = { email: email(at), password: 'lemon-raft-4-orbit', firstName: 'Robin', lastName: 'Reader' };
    await call(gateway, 'POST', '/v1/auth/register', { body });
    await wait(20);
  }
  const stored = (await context.database('identity', stack.database)).collection('registrations');
  const written = await stored.find({ email: /^mail-\d+@/ }, { projection: { email: 1, createdAt: 1 } }).toArray();
  const writtenAt = new Map(written.map(({ email: to, createdAt }) => [String(to), (createdAt as Date).getTime()]));
  const deadline = Date.now() + mailTimeoutMs;
  for (;;) {
    const arrivedAt = await arrivals(stack.mailbox);
    const delays = [...writtenAt].flatMap(([to, at]) => (arrivedAt.has(to) ? (arrivedAt.get(to) ?? 0) - at : []));
    if (delays.length >= registrations) return delays;
    if (Date.now() > deadline) throw new Error(`only ${delays.length} of ${registrations} mails came`);
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

function lineOf(milliseconds: readonly number[], goal: number): Omit<ReportLine, 'what'> {
  const { p50, p99 } = percentiles(milliseconds);
  return { result: `p99 ${Math.round(p99)} ms`, goal: `≤ ${goal} ms`, met: p99 <= goal, p50, p99 };
}
