import { randomUUID } from 'node:crypto';
import { call } from '../../api.ts';
import type { BenchContext } from '../../context.ts';
import { sendAtRate } from '../../load/at-rate.ts';
import { uniqueId, type LoadRequest } from '../../load/plan.ts';
import { percentiles } from '../../percentiles.ts';
import type { CpuTimes, ReportLine } from '../../report.ts';
import { usageOf } from '../../system/usage.ts';
import { measureLoads } from '../measure-loads.ts';
import { untilCounted } from './counted.ts';

const [eventsEach, aSecond] = [10, 50];
const goalMs = 20;

/** Clients of the shop that send their events: in batches at an even rate; as fast as they can, through the gateway and directly. */
export async function measureIntake(context: BenchContext): Promise<ReportLine[]> {
  const { connections, seconds } = context.options;
  const stack = await context.separateStack();
  const { mongodb, broker } = await context.backing();
  context.say('Events of clients …');
  const processes = {
    gateway: stack.processes['gateway-1'] ?? 0,
    services: stack.processes.engagement ?? 0,
    mongodb: mongodb.pid ?? 0,
    rabbitmq: broker.pid ?? 0,
  };
  const cpuNow = (): CpuTimes =>
    Object.fromEntries(Object.entries(usageOf(processes)).map(([group, { cpuSeconds }]) => [group, cpuSeconds]));
  // Views of a product that engagement does not know are rejected.
  const products = (await context.database('engagement', stack.database)).collection<{ _id: string }>('products');
  const productId = (await products.findOne({ deleted: false }))?._id ?? '';
  const clients = (count: number, headers: LoadRequest['headers']) =>
    Array.from({ length: connections }, () => [batchOf(count, productId, headers)]);
  const internalToken = await stack.internalTokens.issue('engagement', null);
  const [gateway = ''] = stack.gateways;
  const [throughGateway, direct] = await measureLoads(
    [
      { url: gateway, clients: clients(1, {}), requestsPerUnit: 1, cpuNow },
      {
        url: stack.services.engagement ?? '',
        clients: clients(1, { 'x-internal-token': internalToken }),
        requestsPerUnit: 1,
        cpuNow,
      },
    ],
    seconds,
  );
  await untilCounted(context, stack);
  const result = (p99: number) => ({ result: `p99 ${p99.toFixed(1)} ms`, goal: `≤ ${goalMs} ms`, met: p99 <= goalMs });
  const paced = await sendPaced(gateway, seconds, batchOf(eventsEach, productId, {}));
  return [
    { what: `batches of ${eventsEach} events of clients, ${aSecond} a second`, ...result(paced.p99), ...paced },
    {
      what: `events of ${connections} clients one by one, as fast as they can`,
      ...result(throughGateway.p99),
      ...throughGateway,
    },
    { what: '  without the gateway', ...result(direct.p99), ...direct },
  ];
}

/** Batches at an even rate. The first second warms up and is not counted. */
async function sendPaced(
  gateway: string,
  seconds: number,
  { path, body = '' }: LoadRequest,
): Promise<{ p50: number; p99: number }> {
  const send = async () => {
    const sent = body.replaceAll(uniqueId, () => randomUUID());
    await call(gateway, 'POST', path, { body: JSON.parse(sent) as object });
  };
  const milliseconds = await sendAtRate({ count: aSecond * (1 + seconds), aSecond }, send);
  return percentiles(milliseconds.slice(aSecond));
}

/** Events of one visitor, such as a page sends. */
function batchOf(count: number, productId: string, headers: LoadRequest['headers']): LoadRequest {
  const events = Array.from({ length: count }, () => ({
    id: uniqueId,
    type: 'product-viewed',
    at: new Date().toISOString(),
    productId,
  }));
  return {
    method: 'POST',
    path: '/v1/analytics/events',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ anonymousId: randomUUID(), events }),
  };
}
