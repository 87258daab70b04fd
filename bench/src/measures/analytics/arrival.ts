import { setTimeout as wait } from 'node:timers/promises';
import { call, logIn } from '../../api.ts';
import type { BenchContext } from '../../context.ts';
import { percentiles } from '../../percentiles.ts';
import type { ReportLine } from '../../report.ts';
import type { StackProcess } from '../../system/stack-process.ts';
import { untilCounted } from './counted.ts';
import { connectPublisher, newWishes, publish } from './published.ts';

const aSecond = 500;
const [batchesASecond, leastSeconds] = [20, 10];
const goalMs = 5000;
const pollMs = 100;
const deadlineMs = 60_000;

/** The time from publishing an event until a report counts it, while events come at an even rate. */
export async function measureArrival(context: BenchContext): Promise<ReportLine[]> {
  const stack = await context.separateStack();
  const bus = await connectPublisher(context);
  const readAdditions = await openReport(stack);
  await untilCounted(context, stack);
  const batch = aSecond / batchesASecond;
  const batches = batchesASecond * Math.max(leastSeconds, context.options.seconds);
  context.say(`${aSecond} events a second for ${batches / batchesASecond} s …`);
  const before = await readAdditions();
  /** When each event was published, in that order; of which the first ones are counted. */
  const publishedAt: number[] = [];
  const delays: number[] = [];

  async function publishAll(): Promise<void> {
    const begun = performance.now();
    const sent: Promise<void>[] = [];
    for (let at = 0; at < batches; at += 1) {
      await wait(Math.max(0, begun + (at * 1000) / batchesASecond - performance.now()));
      publishedAt.push(...Array.from({ length: batch }, () => performance.now()));
      sent.push(publish(bus, newWishes(batch)));
    }
    await Promise.all(sent);
  }
  async function watch(): Promise<void> {
    const deadline = performance.now() + (batches / batchesASecond) * 1000 + deadlineMs;
    while (delays.length < batches * batch) {
      const counted = (await readAdditions()) - before;
      const seenAt = performance.now();
      for (const at of publishedAt.slice(delays.length, counted)) delays.push(seenAt - at);
      if (seenAt > deadline) throw new Error(`only ${delays.length} events came into the report`);
      await wait(pollMs);
    }
  }

  try {
    await Promise.all([publishAll(), watch()]);
  } finally {
    await bus.close();
  }
  const { p50, p99 } = percentiles(delays);
  return [
    {
      what: `from an event to its report, ${aSecond} events a second`,
      result: `p99 ${(p99 / 1000).toFixed(2)} s`,
      goal: `≤ ${goalMs / 1000} s`,
      met: p99 <= goalMs,
      p50,
      p99,
    },
  ];
}

/** How many additions to wishlists the report of these days has. */
async function openReport({ gateways, accounts }: StackProcess): Promise<() => Promise<number>> {
  const [gateway = ''] = gateways;
  const token = await logIn(gateway, accounts.admin);
  const day = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
  const path = `/v1/analytics/reports/wishlists?from=${day(-1)}&to=${day(2)}&timezone=UTC`;
  return async () => {
    const report = await call<{ totals: { additions: number } }>(gateway, 'GET', path, { token });
    return report.totals.additions;
  };
}
