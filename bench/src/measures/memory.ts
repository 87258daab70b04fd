import { setTimeout as wait } from 'node:timers/promises';
import { logIn } from '../api.ts';
import type { BenchContext } from '../context.ts';
import { load } from '../load/load.ts';
import type { ReportLine } from '../report.ts';
import { residentMb } from '../system/usage.ts';

const goalMb = { atRest: 250, afterLoad: 400, later: 360 };
/** V8 gives memory back some ten seconds after a process has become idle. */
const restMs = 15_000;

/** The resident memory of the whole system in one process, with the mailbox, before a load, right after it, and later. */
export async function measureMemory(context: BenchContext): Promise<ReportLine[]> {
  await context.stopSeparateStack();
  const { mongodb, broker } = await context.backing();
  const stack = await context.startStack([], {
    database: 'bench-together',
    url: mongodb.url,
    broker: broker.url ?? '',
  });
  const [gateway = ''] = stack.gateways;
  await wait(restMs);
  const atRest = residentMb(stack.pid);

  const token = await logIn(gateway, stack.accounts.retail);
  const headers = { authorization: `Bearer ${token}` };
  const paths = ['/v1/users/me', '/v1/users/me/addresses', '/v1/notifications', '/v1/categories', '/v1/products'];
  const requests = paths.map((path) => ({ method: 'GET' as const, path, headers }));
  const clients = Array.from({ length: context.options.connections }, () => requests);
  context.say('Loading it …');
  await load({ url: gateway, seconds: context.options.seconds * 4, clients });
  const afterLoad = residentMb(stack.pid);
  await wait(restMs);
  const later = residentMb(stack.pid);
  await stack.stop();
  return [
    lineOf('memory of all services in one process, at rest', atRest, goalMb.atRest),
    lineOf('memory of all services in one process, after load', afterLoad, goalMb.afterLoad),
    lineOf(`  ${restMs / 1000} s later`, later, goalMb.later),
  ];
}

function lineOf(what: string, mb: number, goal: number): ReportLine {
  return { what, result: `${Math.round(mb)} MB`, goal: `≤ ${goal} MB`, met: mb <= goal };
}
