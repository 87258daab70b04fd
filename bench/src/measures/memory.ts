import { logIn } from '../api.ts';
import type { Lab } from '../lab.ts';
import { load } from '../load/load.ts';
import type { Line } from '../report.ts';
import { residentMb } from '../system/usage.ts';

const goalMb = { atRest: 250, afterLoad: 400 };
const restMs = 5000;

/** Resident memory of the whole system in one process, mailbox and all, before and after it was busy. */
export async function measureMemory(lab: Lab): Promise<Line[]> {
  await lab.stopSeparate();
  const { mongodb, broker } = await lab.backing();
  const stack = await lab.start([], { database: 'bench-together', url: mongodb.url, broker: broker.url ?? '' });
  const [gateway = ''] = stack.gateways;
  await new Promise((resolve) => setTimeout(resolve, restMs));
  const atRest = residentMb(stack.pid);

  const token = await logIn(gateway, stack.accounts.retail);
  const headers = { authorization: `Bearer ${token}` };
  const paths = ['/v1/users/me', '/v1/users/me/addresses', '/v1/notifications', '/v1/categories', '/v1/products'];
  const round = paths.map((path) => ({ method: 'GET' as const, path, headers }));
  const clients = Array.from({ length: lab.options.connections }, () => round);
  lab.say('Loading it …');
  await load({ url: gateway, seconds: lab.options.seconds * 4, clients });
  const afterLoad = residentMb(stack.pid);
  await stack.stop();
  return [
    {
      what: 'memory of all services in one process, at rest',
      result: `${Math.round(atRest)} MB`,
      goal: `≤ ${goalMb.atRest} MB`,
      met: atRest <= goalMb.atRest,
    },
    {
      what: 'memory of all services in one process, after load',
      result: `${Math.round(afterLoad)} MB`,
      goal: `≤ ${goalMb.afterLoad} MB`,
      met: afterLoad <= goalMb.afterLoad,
    },
  ];
}
