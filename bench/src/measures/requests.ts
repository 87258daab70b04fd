import { setTimeout as wait } from 'node:timers/promises';
import { logIn } from '../api.ts';
import { startBare } from '../bare/start.ts';
import { decodeClaims } from '../claims.ts';
import type { BenchContext } from '../context.ts';
import { completeShop, createPeople, type Person } from '../fill/people.ts';
import { load } from '../load/load.ts';
import type { LoadRequest } from '../load/plan.ts';
import type { CpuTimes, ProcessGroup, ReportLine } from '../report.ts';
import { usageOf } from '../system/usage.ts';
import { workloads, type Workload } from '../workloads.ts';
import { bothVariants, gatewayRequests, withHeader } from './client-requests.ts';
import { measureLoads } from './measure-loads.ts';
import { combine, emptyRouteLine, gatewayOverheadLine, workloadLines } from './request-lines.ts';
import { measureWhatFollows } from './what-follows.ts';

const restSeconds = 5;
const systemGroups = ['gateway', 'services', 'mongodb', 'rabbitmq'] as const;

/**
 * Each workload through the gateway, directly at the services, and at bare routes that make the same database calls.
 */
export async function measureRequests(context: BenchContext, only: readonly string[]): Promise<ReportLine[]> {
  const { connections, seconds } = context.options;
  const stack = await context.separateStack();
  const { mongodb, broker } = await context.backing();
  const people = await createPeople(context, stack, connections);
  await completeShop(stack);
  using bare = await startBare(mongodb.url);
  const [gateway = ''] = stack.gateways;

  const { 'gateway-1': gatewayPid = 0, 'gateway-2': _unused, ...servicePids } = stack.processes;
  const processes = { gateway: gatewayPid, mongodb: mongodb.pid ?? 0, rabbitmq: broker.pid ?? 0, bare: bare.pid };

  /** Reads the CPU times of the groups; of the services only those that take part, as the others are idle. */
  const cpuOf = (groups: readonly ProcessGroup[], services: readonly string[]) => (): CpuTimes => {
    const usage = usageOf<string>({ ...processes, ...servicePids });
    const used = (name: string) => usage[name]?.cpuSeconds ?? 0;
    const usedBy = (group: ProcessGroup) =>
      group === 'services' ? services.reduce((sum, name) => sum + used(name), 0) : used(group);
    return Object.fromEntries(groups.map((group) => [group, usedBy(group)]));
  };

  async function measureRest(): Promise<ReportLine> {
    context.say('At rest …');
    const services = Object.keys(servicePids);
    const cpuNow = cpuOf(systemGroups, services);
    await wait(restSeconds * 1000);
    const before = cpuNow();
    await wait(restSeconds * 1000);
    const after = cpuNow();
    const perMinute = (group: ProcessGroup) => (((after[group] ?? 0) - (before[group] ?? 0)) / restSeconds) * 60;
    const cpu = Object.fromEntries(systemGroups.map((group) => [group, perMinute(group)]));
    return { what: `at rest: CPU seconds a minute of ${services.length} services`, cpu };
  }

  async function measureEmptyRoute(): Promise<ReportLine> {
    context.say('A route that does nothing …');
    const clients = people.map((): LoadRequest[] => [{ method: 'GET', path: '/empty' }]);
    const load = { url: bare.url, clients, requestsPerUnit: 1, cpuNow: cpuOf(['bare'], []) };
    const [figures] = await measureLoads([load], seconds);
    return emptyRouteLine(figures);
  }

  async function measureGatewayOverhead(): Promise<ReportLine> {
    context.say('One client at a time …');
    const [person] = people as [Person];
    const token = await logIn(gateway, person);
    const read = { service: 'identity', method: 'GET', path: '/v1/users/me' } as const;
    const internalToken = await stack.internalTokens.issue(read.service, decodeClaims(token));
    const common = { requestsPerUnit: 1, cpuNow: () => ({}) };
    const [throughGateway, direct] = await measureLoads(
      [
        { ...common, url: gateway, clients: [[withHeader(read, 'authorization', `Bearer ${token}`)]] },
        {
          ...common,
          url: stack.services[read.service] ?? '',
          clients: [[withHeader(read, 'x-internal-token', internalToken)]],
        },
      ],
      seconds,
    );
    return gatewayOverheadLine(throughGateway, direct);
  }

  async function measureWorkload(workload: Workload): Promise<ReportLine[]> {
    context.say(`${workload.what} …`);
    const sessions = await Promise.all(people.map(async (person) => ({ person, token: await logIn(gateway, person) })));
    const requests = workload.requests(people[0] as Person, 0);
    const services = [...new Set(requests.map(({ service }) => service))];
    const throughGateway = {
      url: gateway,
      clients: sessions.map(({ person, token }) => gatewayRequests(workload, person, token)),
      requestsPerUnit: requests.length,
      cpuNow: cpuOf(systemGroups, services),
    };
    const direct = services.map(async (service) => {
      const clients = sessions.map(async ({ person, token }) => {
        const internalToken = await stack.internalTokens.issue(service, decodeClaims(token));
        return bothVariants((variant) =>
          workload
            .requests(person, variant)
            .filter((request) => request.service === service)
            .map((request) => withHeader(request, 'x-internal-token', internalToken)),
        );
      });
      return {
        url: stack.services[service] ?? '',
        clients: await Promise.all(clients),
        requestsPerUnit: 1,
        cpuNow: cpuOf(['services', 'mongodb', 'rabbitmq'], [service]),
      };
    });
    const bareRoutes = {
      url: bare.url,
      clients: people.map((person) => bothVariants((variant) => workload.bareRequests(person, variant))),
      requestsPerUnit: requests.length,
      cpuNow: cpuOf(['bare', 'mongodb'], []),
    };
    const [gatewayFigures, bareFigures, ...directFigures] = await measureLoads(
      [throughGateway, bareRoutes, ...(await Promise.all(direct))],
      seconds,
    );
    const lines = workloadLines(workload, gatewayFigures, directFigures.reduce(combine), bareFigures);
    if (requests.every(({ method }) => method === 'GET')) return lines;
    context.say('What follows from it …');
    const { clients, requestsPerUnit } = throughGateway;
    const withWhatFollows = await measureWhatFollows(context, stack, async () => {
      const done = await load({ url: gateway, seconds, clients });
      return done.requests / requestsPerUnit;
    });
    return lines.map((line, at) => (at === 0 ? { ...line, withWhatFollows } : line));
  }

  const lines: ReportLine[] = [];
  if (only.length === 0) lines.push(await measureEmptyRoute(), await measureRest(), await measureGatewayOverhead());
  for (const workload of workloads)
    if (only.length === 0 || only.includes(workload.name)) lines.push(...(await measureWorkload(workload)));
  return lines;
}
