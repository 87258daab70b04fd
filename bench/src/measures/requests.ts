import { setTimeout as wait } from 'node:timers/promises';
import { logIn } from '../api.ts';
import { startBare } from '../bare/start.ts';
import { decodeClaims } from '../claims.ts';
import { completeShop, makePeople } from '../fill/people.ts';
import type { Person } from '../fill/people.ts';
import type { Lab } from '../lab.ts';
import type { Request } from '../load/plan.ts';
import type { Line, Share } from '../report.ts';
import { rows } from '../rows.ts';
import type { Row, ServiceRequest } from '../rows.ts';
import { usageOf } from '../system/usage.ts';
import { measureLoads } from './measure-loads.ts';
import type { Load } from './measure-loads.ts';
import { emptyLine, hopLine, linesOf, oneAfterTheOther } from './request-lines.ts';

const restSeconds = 5;
const systemShares = ['gateway', 'services', 'mongodb', 'rabbitmq'] as const;

/** Each row through the gateway, at the services alone, and beside a bare route that asks the database for the same. */
export async function measureRequests(lab: Lab, only: readonly string[]): Promise<Line[]> {
  const { connections, seconds } = lab.options;
  const stack = await lab.separate();
  const { mongodb, broker } = await lab.backing();
  const people = await makePeople(lab, stack, connections);
  await completeShop(stack);
  const bare = await startBare(mongodb.url);
  const [gateway = ''] = stack.gateways;

  const { 'gateway-1': gatewayPid = 0, 'gateway-2': _idle, ...servicePids } = stack.processes;
  const processes = { gateway: gatewayPid, mongodb: mongodb.pid ?? 0, rabbitmq: broker.pid ?? 0, bare: bare.pid };
  /** CPU seconds used so far; of the services by those that are named. */
  const cpuNow = (services: readonly string[]): Record<Share, number> => {
    const usage = usageOf<string>({ ...processes, ...servicePids });
    const used = (name: string) => usage[name]?.cpuSeconds ?? 0;
    return {
      gateway: used('gateway'),
      services: services.reduce((sum, name) => sum + used(name), 0),
      mongodb: used('mongodb'),
      rabbitmq: used('rabbitmq'),
      bare: used('bare'),
    };
  };

  async function measureRest(): Promise<Line> {
    lab.say('At rest …');
    const services = Object.keys(servicePids);
    await wait(restSeconds * 1000);
    const before = cpuNow(services);
    await wait(restSeconds * 1000);
    const after = cpuNow(services);
    const aMinute = (share: Share) => ((after[share] - before[share]) / restSeconds) * 60;
    const cpu = Object.fromEntries(systemShares.map((share) => [share, aMinute(share)]));
    return { what: `at rest: CPU seconds a minute of ${services.length} services`, cpu };
  }

  /** The time of those who take part, and of the services of which: the others only idle meanwhile. */
  function cpuOf(shares: readonly Share[], services: readonly string[]): Load['cpuNow'] {
    return () => {
      const used = cpuNow(services);
      return Object.fromEntries(shares.map((share) => [share, used[share]]));
    };
  }

  async function measureEmpty(): Promise<Line> {
    lab.say('A route that does nothing …');
    const clients = emptyRequests(people.length);
    const [empty] = await measureLoads([{ url: bare.url, clients, length: 1, cpuNow: cpuOf(['bare'], []) }], seconds);
    return emptyLine(empty);
  }

  /** What the gateway adds to a read while nobody else waits. */
  async function measureHop(): Promise<Line> {
    lab.say('One client at a time …');
    const [person] = people as [Person];
    const token = await logIn(gateway, person);
    const read = { service: 'identity', method: 'GET', path: '/v1/users/me' } as const;
    const target = { length: 1, cpuNow: () => ({}) };
    const outside = withHeader(read, 'authorization', `Bearer ${token}`);
    const inside = withHeader(
      read,
      'x-internal-token',
      await stack.internalTokens.issue(read.service, decodeClaims(token)),
    );
    const [through, alone] = await measureLoads(
      [
        { ...target, url: gateway, clients: [[outside]] },
        { ...target, url: stack.services[read.service] ?? '', clients: [[inside]] },
      ],
      seconds,
    );
    return hopLine(through, alone);
  }

  async function measureRow(row: Row): Promise<Line[]> {
    lab.say(`${row.what} …`);
    const sessions = await Promise.all(people.map(async (person) => ({ person, token: await logIn(gateway, person) })));
    const round = row.round(people[0] as Person, 0);
    const services = [...new Set(round.map(({ service }) => service))];
    const { length } = round;
    const through = {
      url: gateway,
      clients: sessions.map(({ person, token }) => roundOf(row, person, token)),
      length,
      cpuNow: cpuOf(systemShares, services),
    };
    const alone = services.map(async (service) => {
      const clients = sessions.map(async ({ person, token }) => {
        const internal = await stack.internalTokens.issue(service, decodeClaims(token));
        const sent = (turn: number) => row.round(person, turn).filter((request) => request.service === service);
        return bothTurns((turn) => sent(turn).map((request) => withHeader(request, 'x-internal-token', internal)));
      });
      return {
        url: stack.services[service] ?? '',
        clients: await Promise.all(clients),
        length: 1,
        cpuNow: cpuOf(['services', 'mongodb', 'rabbitmq'], [service]),
      };
    });
    const least = {
      url: bare.url,
      clients: people.map((person) => bothTurns((turn) => row.bare(person, turn))),
      length,
      cpuNow: cpuOf(['bare', 'mongodb'], []),
    };
    const [whole, bareAlone, ...parts] = await measureLoads([through, least, ...(await Promise.all(alone))], seconds);
    return linesOf(row, whole, parts.reduce(oneAfterTheOther), bareAlone);
  }

  try {
    const lines: Line[] = only.length === 0 ? [await measureEmpty(), await measureRest(), await measureHop()] : [];
    for (const row of rows) if (only.length === 0 || only.includes(row.name)) lines.push(...(await measureRow(row)));
    return lines;
  } finally {
    bare.stop();
  }
}

/** What clients send to the bare route that does nothing. */
export function emptyRequests(clients: number): Request[][] {
  return Array.from({ length: clients }, () => [{ method: 'GET', path: '/empty' }]);
}

/** What a client sends to a gateway, over and over. */
export function roundOf(row: Row, person: Person, token: string): Request[] {
  return bothTurns((turn) =>
    row.round(person, turn).map((sent) => withHeader(sent, 'authorization', `Bearer ${token}`)),
  );
}

function bothTurns(round: (turn: number) => readonly (Request | ServiceRequest)[]): Request[] {
  return [...round(0), ...round(1)];
}

function withHeader(request: ServiceRequest, name: string, value: string): Request {
  const { service: _service, ...sent } = request;
  return { ...sent, headers: { ...sent.headers, [name]: value } };
}
