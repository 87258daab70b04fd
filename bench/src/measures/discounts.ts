import { newId } from '@storefront/contracts';
import { call, logIn } from '../api.ts';
import { startBare, type BareServer } from '../bare/start.ts';
import { decodeClaims } from '../claims.ts';
import type { BenchContext } from '../context.ts';
import {
  addCampaigns,
  endCampaigns,
  fillDiscountShop,
  matching,
  others,
  type CampaignContent,
  type DiscountShop,
} from '../fill/discounts.ts';
import { createPeople } from '../fill/people.ts';
import { uniqueText, type LoadRequest } from '../load/plan.ts';
import type { CpuTimes, ProcessGroup, ReportLine } from '../report.ts';
import type { StackProcess } from '../system/stack-process.ts';
import { usageOf } from '../system/usage.ts';
import { measureLoads, type LoadFigures, type MeasuredLoad } from './measure-loads.ts';

const mixedCampaigns = 50;
const fewCampaigns = 20;
const manyCampaigns = 1000;
const goalMs = 15;
const goalRatio = 2;
const codes = 10_000;
const goalSecondsOfCodes = 5;
const timesOfCodes = 3;
const limitedCode = 'LIMITED';

/** The parts of the measurement, for `--only discounts:NAME`. */
const parts: Readonly<Record<string, (context: BenchContext, shop: Shop) => Promise<ReportLine[]>>> = {
  evaluation: measureEvaluation,
  'many-campaigns': measureManyCampaigns,
  redemption: measureRedemptions,
  codes: measureCodes,
};

/** Discounts of carts, their redemption, and codes, in a system of its own. */
export async function measureDiscounts(context: BenchContext, only: readonly string[]): Promise<ReportLine[]> {
  await context.stopSeparateStack();
  const shop = await openShop(context);
  const lines: ReportLine[] = [];
  for (const [name, measure] of Object.entries(parts))
    if (only.length === 0 || only.includes(name)) lines.push(...(await measure(context, shop)));
  await shop.stack.stop();
  return lines;
}

interface Shop extends DiscountShop {
  readonly stack: StackProcess;
  readonly gateway: string;
  readonly engagement: string;
  readonly cpuOf: (groups: readonly ProcessGroup[]) => () => CpuTimes;
}

/** A system with a filled shop and no campaign. */
async function openShop(context: BenchContext): Promise<Shop> {
  const { mongodb, broker } = await context.backing();
  context.say('Starting the services, each in a process of its own …');
  const servers = { database: 'bench-discounts', url: mongodb.url, broker: broker.url ?? '' };
  const stack = await context.startStack(['--separate'], servers);
  context.say('Filling the shop …');
  await endCampaigns(stack);
  const shop = await fillDiscountShop(stack);
  const { 'gateway-1': gateway = 0, engagement: services = 0 } = stack.processes;
  const processes = { gateway, services, mongodb: mongodb.pid ?? 0, rabbitmq: broker.pid ?? 0 };
  const cpuOf = (groups: readonly ProcessGroup[]) => () => {
    const usage = usageOf<string>(processes);
    return Object.fromEntries(groups.map((group) => [group, usage[group]?.cpuSeconds ?? 0]));
  };
  const [url = ''] = stack.gateways;
  return { ...shop, stack, gateway: url, engagement: stack.services['engagement'] ?? '', cpuOf };
}

const ofGateway = ['gateway', 'services', 'mongodb', 'rabbitmq'] as const;
const ofService = ['services', 'mongodb', 'rabbitmq'] as const;

function post(path: string, body: object, headers: Readonly<Record<string, string>>): LoadRequest {
  return {
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

async function measureEvaluation(context: BenchContext, shop: Shop): Promise<ReportLine[]> {
  const { stack, gateway, cart } = shop;
  const { connections, seconds } = context.options;
  const half = mixedCampaigns / 2;
  await addCampaigns(stack, [...matching(shop, half), ...others(shop, half)]);
  await expectApplied(shop, half);
  const people = await createPeople(context, stack, connections);
  context.say('Evaluating carts …');
  const tokens = await Promise.all(people.map((person) => logIn(gateway, person)));
  const path = '/v1/discounts/evaluate';
  const throughGateway: MeasuredLoad = {
    url: gateway,
    clients: tokens.map((token) => [post(path, cart, { authorization: `Bearer ${token}` })]),
    requestsPerUnit: 1,
    cpuNow: shop.cpuOf(ofGateway),
  };
  const [gatewayFigures, direct] = await measureLoads([throughGateway, await directEvaluation(shop, tokens)], seconds);
  const what = `discounts of a cart of ${cart.lines.length} lines with ${mixedCampaigns} campaigns`;
  return [
    { what, ...gatewayFigures },
    {
      what: '  without the gateway',
      result: `p99 ${direct.p99.toFixed(1)} ms`,
      goal: `≤ ${goalMs} ms`,
      met: direct.p99 <= goalMs,
      ...direct,
    },
  ];
}

async function directEvaluation(shop: Shop, tokens: readonly string[]): Promise<MeasuredLoad> {
  const { stack, engagement, cart, cpuOf } = shop;
  const clients = tokens.map(async (token) => {
    const internalToken = await stack.internalTokens.issue('engagement', decodeClaims(token));
    return [post('/v1/discounts/evaluate', cart, { 'x-internal-token': internalToken })];
  });
  return { url: engagement, clients: await Promise.all(clients), requestsPerUnit: 1, cpuNow: cpuOf(ofService) };
}

/** Throws unless the cart gets something off by so many campaigns; otherwise less would be measured than is said. */
async function expectApplied({ gateway, cart }: Shop, count: number): Promise<void> {
  const { campaigns } = await call<{ campaigns: { applied: boolean; reason: string | null }[] }>(
    gateway,
    'POST',
    '/v1/discounts/evaluate',
    { body: cart },
  );
  // Nobody is logged in here, so those with a limit for each user do not apply.
  const counted = campaigns.filter(({ applied, reason }) => applied || reason === 'sign_in_required');
  if (counted.length !== count)
    throw new Error(`${counted.length} instead of ${count} campaigns apply to the cart: ${JSON.stringify(campaigns)}`);
}

async function measureRedemptions(context: BenchContext, shop: Shop): Promise<ReportLine[]> {
  const { mongodb } = await context.backing();
  using bare = await startBare(mongodb.url);
  const discount = { type: 'percentage', percent: 10, target: 'order' };
  const unlimited = { what: 'redemption, one campaign without limits', content: { discount } };
  const limits = {
    total: 1_000_000_000,
    perUser: 1_000_000_000,
    budget: { amount: 1_000_000_000_000, currency: 'EUR' },
  };
  const limited = {
    what: 'redemption by a code, one campaign with limits',
    content: { discount, limits },
    code: limitedCode,
  };
  return [
    ...(await measureRedemption(context, shop, bare, unlimited)),
    ...(await measureRedemption(context, shop, bare, limited)),
  ];
}

/** Redeems for as many users as there are clients, as an order system does: in the name of an administrator. */
async function measureRedemption(
  context: BenchContext,
  shop: Shop,
  bare: BareServer,
  { what, content, code }: { what: string; content: CampaignContent; code?: string },
): Promise<ReportLine[]> {
  const { stack, gateway, engagement, cart, cpuOf } = shop;
  const { connections, seconds } = context.options;
  context.say(`${what} …`);
  await endCampaigns(stack);
  const [campaignId = ''] = await addCampaigns(stack, [content], code);
  const token = await logIn(gateway, stack.accounts.admin);
  const internalToken = await stack.internalTokens.issue('engagement', decodeClaims(token));
  const users = Array.from({ length: connections }, () => newId('user'));
  const bodyOf = (userId: string) => ({
    orderRef: `order-${uniqueText}`,
    lines: cart.lines.slice(0, 3),
    userId,
    ...(code === undefined ? {} : { codes: [code] }),
  });
  const clientsWith = (headers: Readonly<Record<string, string>>) =>
    users.map((userId) => [post('/v1/discounts/redemptions', bodyOf(userId), headers)]);
  /** What is used is counted in one document for each user, which no other client writes, or in one for all. */
  const bareLoad = (countedFor: (userId: string) => string): MeasuredLoad => ({
    url: bare.url,
    clients: users.map((userId) => [post('/redemptions', { ...bodyOf(userId), countedFor: countedFor(userId) }, {})]),
    requestsPerUnit: 1,
    cpuNow: bareCpu(shop, bare),
  });
  const [throughGateway, direct, atBare, contended] = await measureLoads(
    [
      {
        url: gateway,
        clients: clientsWith({ authorization: `Bearer ${token}` }),
        requestsPerUnit: 1,
        cpuNow: cpuOf(ofGateway),
      },
      {
        url: engagement,
        clients: clientsWith({ 'x-internal-token': internalToken }),
        requestsPerUnit: 1,
        cpuNow: cpuOf(ofService),
      },
      bareLoad((userId) => userId),
      bareLoad(() => campaignId),
    ],
    seconds,
  );
  const ratio = throughGateway.perSecond / atBare.perSecond;
  return [
    { what, result: `${ratio.toFixed(2)} of bare`, goal: '≥ 0.5', met: ratio >= 0.5, ...throughGateway },
    { what: '  without the gateway', ...direct },
    { what: '  bare transaction, no document of which another client writes', ...atBare },
    { what: '  bare transaction, all clients write one of its documents', ...contended },
  ];
}

function bareCpu({ cpuOf }: Shop, { pid }: BareServer): () => CpuTimes {
  const databases = cpuOf(['mongodb']);
  return () => ({ bare: usageOf({ bare: pid }).bare.cpuSeconds, ...databases() });
}

/** Random codes for a campaign: the median of a few requests. */
async function measureCodes(context: BenchContext, { stack, gateway }: Shop): Promise<ReportLine[]> {
  context.say(`${codes} codes …`);
  const token = await logIn(gateway, stack.accounts.admin);
  const discount = { type: 'percentage', percent: 10, target: 'order' };
  const [campaignId = ''] = await addCampaigns(stack, [{ discount }], 'FIRST');
  const times: number[] = [];
  for (let time = 0; time < timesOfCodes; time += 1) {
    const begun = performance.now();
    const body = { generate: { count: codes, prefix: 'BENCH-', usesPerCode: 1 } };
    await call(gateway, 'POST', `/v1/campaigns/${campaignId}/codes`, { token, body });
    times.push((performance.now() - begun) / 1000);
  }
  const seconds = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
  return [
    {
      what: `${codes} random codes in one request`,
      result: `${seconds.toFixed(1)} s`,
      goal: `≤ ${goalSecondsOfCodes} s`,
      met: seconds <= goalSecondsOfCodes,
    },
  ];
}

/**
 * The same cart, to which the same campaigns apply, with only these and among many others. What is slower or faster at another
 * time must not count as a difference, so the few are measured before the many and after them.
 */
async function measureManyCampaigns(context: BenchContext, shop: Shop): Promise<ReportLine[]> {
  const { stack, gateway } = shop;
  const { connections, seconds } = context.options;
  const token = await logIn(gateway, stack.accounts.retail);
  const tokens = Array.from({ length: connections }, () => token);
  async function measure(): Promise<LoadFigures> {
    await expectApplied(shop, fewCampaigns);
    const [figures] = await measureLoads([await directEvaluation(shop, tokens)], seconds);
    return figures;
  }

  context.say(`${fewCampaigns} campaigns, ${manyCampaigns} campaigns …`);
  await endCampaigns(stack);
  await addCampaigns(stack, matching(shop, fewCampaigns));
  const before = await measure();
  await addCampaigns(stack, others(shop, manyCampaigns - fewCampaigns));
  const many = await measure();
  await endCampaigns(stack);
  await addCampaigns(stack, matching(shop, fewCampaigns));
  const after = await measure();
  const cpu = ({ cpu: { services = Number.NaN } }: LoadFigures) => services;
  const ratio = (2 * cpu(many)) / (cpu(before) + cpu(after));
  return [
    {
      what: `  the cart with ${manyCampaigns} campaigns of which ${fewCampaigns} could apply`,
      result: `CPU × ${ratio.toFixed(2)}`,
      goal: `≤ × ${goalRatio}`,
      met: ratio <= goalRatio,
      ...many,
    },
    { what: `  with these ${fewCampaigns} campaigns, before`, ...before },
    { what: `  with these ${fewCampaigns} campaigns, after`, ...after },
  ];
}
