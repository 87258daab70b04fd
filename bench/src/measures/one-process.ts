import { logIn } from '../api.ts';
import type { BenchContext } from '../context.ts';
import { completeShop, createPeople, type Person } from '../fill/people.ts';
import type { ReportLine } from '../report.ts';
import { usageOf } from '../system/usage.ts';
import { workloads } from '../workloads.ts';
import { gatewayRequests } from './client-requests.ts';
import { measureLoads } from './measure-loads.ts';

/** Each workload with the whole system in one process, as `npm start` runs it. */
export async function measureOneProcess(context: BenchContext, only: readonly string[]): Promise<ReportLine[]> {
  await context.stopSeparateStack();
  const { connections, seconds } = context.options;
  const { mongodb, broker } = await context.backing();
  context.say('Starting everything in one process …');
  const servers = { database: 'bench-one-process', url: mongodb.url, broker: broker.url ?? '' };
  const stack = await context.startStack([], servers);
  const [url = ''] = stack.gateways;
  const people = await createPeople(context, stack, connections);
  await completeShop(stack);
  const processes = { services: stack.pid, mongodb: mongodb.pid ?? 0, rabbitmq: broker.pid ?? 0 };
  const cpuNow = () => {
    const { services, mongodb, rabbitmq } = usageOf(processes);
    return { services: services.cpuSeconds, mongodb: mongodb.cpuSeconds, rabbitmq: rabbitmq.cpuSeconds };
  };

  const lines: ReportLine[] = [];
  for (const workload of workloads) {
    if (only.length > 0 && !only.includes(workload.name)) continue;
    context.say(`${workload.what} …`);
    const clients = await Promise.all(
      people.map(async (person) => gatewayRequests(workload, person, await logIn(url, person))),
    );
    const { length } = workload.requests(people[0] as Person, 0);
    const [figures] = await measureLoads([{ url, clients, requestsPerUnit: length, cpuNow }], seconds);
    lines.push({ what: `${workload.what}, everything in one process`, ...figures });
  }
  await stack.stop();
  return lines;
}
