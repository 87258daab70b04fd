import { logIn } from '../api.ts';
import { startBare } from '../bare/start.ts';
import { completeShop, makePeople } from '../fill/people.ts';
import type { Person } from '../fill/people.ts';
import type { Lab } from '../lab.ts';
import type { Line } from '../report.ts';
import { rows } from '../rows.ts';
import { usageOf } from '../system/usage.ts';
import { measureLoads } from './measure-loads.ts';
import { shareLines } from './request-lines.ts';
import { emptyRequests, roundOf } from './requests.ts';

/** What rows cost where the whole system is one process, as `npm start` runs it, beside other systems that are one too. */
export async function measureOneProcess(lab: Lab, only: readonly string[]): Promise<Line[]> {
  await lab.stopSeparate();
  const { connections, seconds } = lab.options;
  const { mongodb, broker } = await lab.backing();
  lab.say('Starting everything in one process …');
  const stack = await lab.start([], { database: 'bench-one-process', url: mongodb.url, broker: broker.url ?? '' });
  const [url = ''] = stack.gateways;
  const people = await makePeople(lab, stack, connections);
  await completeShop(stack);
  const bare = await startBare(mongodb.url);
  const processes = { services: stack.pid, mongodb: mongodb.pid ?? 0, rabbitmq: broker.pid ?? 0, bare: bare.pid };
  const cpuOf = (names: readonly (keyof typeof processes)[]) => () => {
    const usage = usageOf(processes);
    return Object.fromEntries(names.map((name) => [name, usage[name].cpuSeconds]));
  };

  try {
    const nothing = { url: bare.url, clients: emptyRequests(connections), length: 1, cpuNow: cpuOf(['bare']) };
    const lines: Line[] = [];
    for (const row of rows) {
      if (!row.others || (only.length > 0 && !only.includes(row.name))) continue;
      lab.say(`${row.what} …`);
      const clients = await Promise.all(people.map(async (person) => roundOf(row, person, await logIn(url, person))));
      const { length } = row.round(people[0] as Person, 0);
      const whole = { url, clients, length, cpuNow: cpuOf(['services', 'mongodb', 'rabbitmq']) };
      const [measured, empty] = await measureLoads([whole, nothing], seconds);
      lines.push(...shareLines(row, row.others, measured, empty));
    }
    return lines;
  } finally {
    bare.stop();
    await stack.stop();
  }
}
