import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { signDemoCallback } from '@storefront/demo-provider';
import { call, logIn } from '../api.ts';
import type { BenchContext } from '../context.ts';
import { sendAtRate } from '../load/at-rate.ts';
import { percentiles } from '../percentiles.ts';
import type { ReportLine } from '../report.ts';
import type { StackProcess } from '../system/stack-process.ts';

const aSecond = 100;
const leastSeconds = 10;
const goalMs = 50;
const invoiceCount = 200;
const catchUpMs = 120_000;
const amount = { amount: 10, currency: 'EUR' };

/**
 * How long a payment provider waits for 200 while the work behind its callbacks stands still, as the broker is halted;
 * and how long the work takes to catch up.
 */
export async function measureCallbacks(context: BenchContext): Promise<ReportLine[]> {
  await context.stopSeparateStack();
  const { mongodb, broker } = await context.backing();
  if (broker.pid === undefined) throw new Error('callbacks are measured with a broker that the bench has started');
  context.say('Starting the services, each in a process of its own …');
  const servers = { database: 'bench-callbacks', url: mongodb.url, broker: broker.url ?? '' };
  const stack = await context.startStack(['--separate'], servers);
  const numbers = await issueInvoices(context, stack);
  const [gateway = ''] = stack.gateways;
  const send = (at: number) => sendCallback(gateway, stack.payments.demo.secret, numbers[at % numbers.length] ?? '');
  // The first ones warm up and are not counted.
  for (let at = 0; at < aSecond; at += 1) await send(at);

  const count = aSecond * Math.max(leastSeconds, context.options.seconds);
  context.say(`Sending ${count} callbacks with the broker halted …`);
  process.kill(broker.pid, 'SIGSTOP');
  let milliseconds: number[];
  try {
    milliseconds = await sendAtRate({ count, aSecond }, send);
  } finally {
    process.kill(broker.pid, 'SIGCONT');
  }
  const begun = performance.now();
  const stored = (await context.database('billing', stack.database)).collection('callbacks');
  const undone = () => stored.countDocuments({ outcome: 'received' });
  while ((await undone()) > 0) {
    if (performance.now() - begun > catchUpMs) throw new Error(`${await undone()} callbacks are not worked off`);
    await wait(100);
  }
  const caughtUpInMs = performance.now() - begun;
  await stack.stop();
  const { p50, p99 } = percentiles(milliseconds);
  return [
    {
      what: `callbacks, ${aSecond} a second, while the work behind them stands still`,
      result: `p99 ${p99.toFixed(1)} ms`,
      goal: `≤ ${goalMs} ms`,
      met: p99 <= goalMs,
      p50,
      p99,
    },
    {
      what: `  work of ${count} callbacks done once the broker is back`,
      result: `${(caughtUpInMs / 1000).toFixed(1)} s`,
    },
  ];
}

/** Issues invoices to the demo's trade account, so large that no payment of the bench pays one. Returns their numbers. */
async function issueInvoices({ say }: BenchContext, { gateways, accounts }: StackProcess): Promise<string[]> {
  say(`Issuing ${invoiceCount} invoices …`);
  const [gateway = ''] = gateways;
  const buyer = await logIn(gateway, accounts.trade);
  const { id: accountId } = await call<{ id: string }>(gateway, 'GET', '/v1/users/me', { token: buyer });
  const token = await logIn(gateway, accounts.admin);
  const terms = { limit: null, termsDays: 30, hold: false };
  await call(gateway, 'PUT', `/v1/trade-accounts/${accountId}/credit`, { token, body: terms });
  const line = { description: 'Tea', quantity: 1, unitPrice: { amount: 1_000_000, currency: 'EUR' }, taxRate: 19 };
  const numbers: string[] = [];
  for (let at = 0; at < invoiceCount; at += 1) {
    const body = { accountId, lines: [line] };
    numbers.push((await call<{ number: string }>(gateway, 'POST', '/v1/invoices', { token, body })).number);
  }
  return numbers;
}

async function sendCallback(gateway: string, secret: string, invoiceNumber: string): Promise<void> {
  const body = JSON.stringify({
    id: randomUUID(),
    type: 'payment.succeeded',
    createdAt: new Date().toISOString(),
    data: { invoiceNumber, amount, providerReference: randomUUID() },
  });
  const response = await fetch(new URL('/v1/payments/callbacks/demo', gateway), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'payment-signature': signDemoCallback(secret, body, new Date()) },
    body,
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`a callback was answered ${response.status}: ${text}`);
}
