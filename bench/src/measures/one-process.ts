import { logIn } from '../api.ts';
import { completeShop, makePeople } from '../fill/people.ts';
import type { Lab } from '../lab.ts';
import { load } from '../load/load.ts';
import type { Line } from '../report.ts';
import { rows } from '../rows.ts';
import { usageOf } from '../system/usage.ts';
import { shareLines } from './request-lines.ts';
import { roundOf } from './requests.ts';

const warmUpSeconds = 3;

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
  const processes = { services: stack.pid, mongodb: mongodb.pid ?? 0, rabbitmq: broker.pid ?? 0 };

  const lines: Line[] = [];
  for (const row of rows) {
    if (!row.others || (only.length > 0 && !only.includes(row.name))) continue;
    lab.say(`${row.what} …`);
    const clients = await Promise.all(people.map(async (person) => roundOf(row, person, await logIn(url, person))));
    await load({ url, seconds: warmUpSeconds, clients });
    const before = usageOf(processes);
    const result = await load({ url, seconds, clients });
    const after = usageOf(processes);
    const done = result.requests / row.round(people[0] as (typeof people)[0], 0).length;
    const cpuOf = (name: keyof typeof processes) => ((after[name].cpuSeconds - before[name].cpuSeconds) / done) * 1000;
    const cpu = { services: cpuOf('services'), mongodb: cpuOf('mongodb'), rabbitmq: cpuOf('rabbitmq') };
    const { p50, p99 } = result;
    lines.push(...shareLines(row, row.others, { perSecond: done / result.seconds, p50, p99, cpu }));
  }
  await stack.stop();
  return lines;
}
