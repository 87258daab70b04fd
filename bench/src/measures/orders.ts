import {
  payOnDemoPage,
  prepareOrder,
  sendOrder,
  untilOrder,
  type PreparedOrder,
  type Send,
} from '@storefront/checkout-client';
import type { ordersHttp } from '@storefront/contracts';
import type { BenchContext } from '../context.ts';
import type { DiscountShop } from '../fill/discounts.ts';
import { campaignsOfOrder, fillOrderShop, guestAt, linesOfOrder, purchaseOf } from '../fill/purchases.ts';
import { sendAtOnce } from '../load/at-once.ts';
import { percentiles } from '../percentiles.ts';
import type { CpuTimes, ProcessGroup, ReportLine } from '../report.ts';
import type { StackProcess } from '../system/stack-process.ts';
import { usageOf } from '../system/usage.ts';
import { measureWhatFollows } from './what-follows.ts';

const clients = 8;
const ordersASecond = 100;
const warmUpOrders = 200;
const goalMs = 250;
const placedWithinMs = 60_000;
const takingPart = ['orders', 'catalog', 'engagement', 'billing'];

/** The systems that are measured, for `--only orders:NAME`. */
const systems: Readonly<Record<string, (context: BenchContext) => Promise<ReportLine[]>>> = {
  separate: measureSeparate,
  'one-process': measureTogether,
};

/** Orders of guests by card: until they can be paid, and whole checkouts until they are placed. */
export async function measureOrders(context: BenchContext, only: readonly string[]): Promise<ReportLine[]> {
  await context.stopSeparateStack();
  const lines: ReportLine[] = [];
  for (const [name, measure] of Object.entries(systems))
    if (only.length === 0 || only.includes(name)) lines.push(...(await measure(context)));
  return lines;
}

async function measureSeparate(context: BenchContext): Promise<ReportLine[]> {
  const system = await openSystem(context, ['--separate'], 'bench-orders');
  const { stack, cpuOfServices } = system;
  const count = ordersASecond * context.options.seconds;
  const doAll = async (work: () => Promise<unknown>) => {
    await sendAtOnce({ count, clients }, work);
    return count;
  };
  await warmUp(system);

  context.say(`${count} orders …`);
  const prepared: Prepared[] = [];
  const carts = await measure(system, count, async () => prepared.push(await prepare(system)));
  const before = cpuOfServices();
  const orders = await measure(system, count, confirming(prepared));
  const after = cpuOfServices();
  const others = confirming(await prepareAll(system, count));
  const followedByOrders = await measureWhatFollows(context, stack, () => doAll(others));
  context.say(`${count} orders of the same products …`);
  const alike = await measure(system, count, confirming(await prepareAll(system, count, linesOfOrder)));
  context.say(`${count} whole checkouts …`);
  const whole = await measure(system, count, () => checkOut(system));
  const followedByWhole = await measureWhatFollows(context, stack, () => doAll(() => checkOut(system)));
  await stack.stop();
  const ofServices = Object.entries(after).map(
    ([name, used]) => `${name} ${(((used - (before[name] ?? 0)) / count) * 1000).toFixed(2)}`,
  );
  return [
    { what: whatOrders, ...goalOf(orders), ...orders, withWhatFollows: followedByOrders },
    { what: '  CPU of each service', result: ofServices.join(', ') },
    { what: '  all of the same five products', ...goalOf(alike), ...alike },
    { what: '  the cart before, in five requests', ...carts },
    { what: whatCheckouts, ...whole, withWhatFollows: followedByWhole },
  ];
}

async function measureTogether(context: BenchContext): Promise<ReportLine[]> {
  const system = await openSystem(context, [], 'bench-orders-together');
  const count = ordersASecond * context.options.seconds;
  await warmUp(system);
  context.say(`${count} orders, and ${count} whole checkouts, everything in one process …`);
  const orders = await measure(system, count, confirming(await prepareAll(system, count)));
  const whole = await measure(system, count, () => checkOut(system));
  await system.stack.stop();
  return [
    { what: `${whatOrders}, everything in one process`, ...goalOf(orders), ...orders },
    { what: `${whatCheckouts}, everything in one process`, ...whole },
  ];
}

const whatOrders = `order of ${linesOfOrder} lines with a code and ${campaignsOfOrder} campaigns, until it can be paid, ${clients} clients`;
const whatCheckouts = '  whole checkout, from the cart until it is paid and placed';

interface System {
  readonly stack: StackProcess;
  readonly gateway: string;
  readonly shop: DiscountShop;
  readonly nextGuest: () => number;
  readonly cpuNow: () => CpuTimes;
  /** The CPU seconds of each service that takes part. */
  readonly cpuOfServices: () => Readonly<Record<string, number>>;
}

async function openSystem(context: BenchContext, args: readonly string[], database: string): Promise<System> {
  const { mongodb, broker } = await context.backing();
  context.say('Starting the services …');
  const stack = await context.startStack(args, { database, url: mongodb.url, broker: broker.url ?? '' });
  context.say('Filling the shop …');
  const shop = await fillOrderShop(stack);
  const [gateway = ''] = stack.gateways;
  const { 'gateway-1': gatewayPid, ...services } = stack.processes;
  const named = gatewayPid === undefined ? { 'one-process': stack.pid } : services;
  const names = gatewayPid === undefined ? ['one-process'] : takingPart;
  const others = { ...(gatewayPid && { gateway: gatewayPid }), mongodb: mongodb.pid ?? 0, rabbitmq: broker.pid ?? 0 };
  const usedBy = (processes: Readonly<Record<string, number>>) =>
    Object.entries(usageOf(processes)).map(([name, { cpuSeconds }]) => [name, cpuSeconds] as const);
  const cpuOfServices = () => Object.fromEntries(usedBy(named).filter(([name]) => names.includes(name)));
  let guests = 0;
  return {
    stack,
    gateway,
    shop,
    nextGuest: () => guests++,
    cpuNow: () => ({
      ...Object.fromEntries(usedBy(others)),
      services: Object.values(cpuOfServices()).reduce((sum, used) => sum + used, 0),
    }),
    cpuOfServices,
  };
}

type Figures = Required<Pick<ReportLine, 'perSecond' | 'p50' | 'p99' | 'cpu'>>;

/** Does the work so many times with eight clients. The CPU time is that until the last answer. */
async function measure({ cpuNow }: System, count: number, work: (at: number) => Promise<unknown>): Promise<Figures> {
  const before = cpuNow();
  const { milliseconds, seconds } = await sendAtOnce({ count, clients }, work);
  const after = Object.entries(cpuNow()) as [ProcessGroup, number][];
  const cpu = after.map(([group, used]) => [group, ((used - (before[group] ?? 0)) / count) * 1000]);
  return { perSecond: count / seconds, ...percentiles(milliseconds), cpu: Object.fromEntries(cpu) };
}

function goalOf({ p99 }: Figures): Pick<ReportLine, 'result' | 'goal' | 'met'> {
  return { result: `p99 ${Math.round(p99)} ms`, goal: `≤ ${goalMs} ms`, met: p99 <= goalMs };
}

/** A guest who is about to confirm an order. */
interface Prepared {
  readonly send: Send;
  readonly order: PreparedOrder['order'];
  readonly email: string;
}

/** Fills the cart of a new guest, whose products are among the first `variety`. */
async function prepare({ gateway, shop, nextGuest }: System, variety?: number): Promise<Prepared> {
  const guest = nextGuest();
  const send = guestAt(gateway, guest);
  const { order } = await prepareOrder(send, purchaseOf(shop, guest, variety));
  return { send, order, email: `guest-${guest}@bench.example.com` };
}

async function prepareAll(system: System, count: number, variety?: number): Promise<Prepared[]> {
  const all: Prepared[] = [];
  await sendAtOnce({ count, clients }, async () => all.push(await prepare(system, variety)));
  return all;
}

function confirm({ send, order, email }: Prepared): Promise<ordersHttp.OrderBody> {
  return sendOrder(send, { ...order, email, payment: { method: 'card' } });
}

/** Confirms prepared orders, each one once. */
function confirming(prepared: readonly Prepared[]): () => Promise<ordersHttp.OrderBody> {
  const left = [...prepared];
  return () => {
    const next = left.pop();
    if (!next) throw new Error('more orders are sent than were prepared');
    return confirm(next);
  };
}

/** Until V8 has compiled the code of every process. */
async function warmUp(system: System): Promise<void> {
  await sendAtOnce({ count: warmUpOrders, clients }, () => checkOut(system));
}

/** Buys something as a new guest, from the cart until the order is placed. */
async function checkOut(system: System): Promise<void> {
  const prepared = await prepare(system);
  const order = await confirm(prepared);
  await payOnDemoPage(order.payment.redirectUrl ?? '');
  const { status } = await untilOrder(prepared.send, order, (seen) => seen.status === 'placed', placedWithinMs);
  if (status !== 'placed') throw new Error(`${order.id} is paid, but ${status}`);
}
