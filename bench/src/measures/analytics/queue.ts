import { setTimeout as wait } from 'node:timers/promises';
import type { BenchContext } from '../../context.ts';
import type { ReportLine } from '../../report.ts';
import { usageOf } from '../../system/usage.ts';
import { untilCounted } from './counted.ts';
import { connectPublisher, newWishes, publish } from './published.ts';

const warmUp = 2000;
const events = 20_000;
const atOnce = 500;
const goal = 2000;
const deadlineMs = 120_000;

/** Events of the services as they come through their queue: until they are stored, and until they are counted. */
export async function measureQueue(context: BenchContext): Promise<ReportLine[]> {
  const stack = await context.separateStack();
  const { mongodb, broker } = await context.backing();
  const bus = await connectPublisher(context);
  const facts = (await context.database('engagement', stack.database)).collection('facts');
  const processes = {
    services: stack.processes.engagement ?? 0,
    mongodb: mongodb.pid ?? 0,
    rabbitmq: broker.pid ?? 0,
  };

  async function untilStored(count: number): Promise<void> {
    const deadline = performance.now() + deadlineMs;
    while ((await facts.estimatedDocumentCount()) < count) {
      if (performance.now() > deadline) throw new Error('not all of the events were stored in time');
      await wait(100);
    }
  }
  async function take(count: number) {
    const before = await facts.estimatedDocumentCount();
    const [usedBefore, begun] = [usageOf(processes), performance.now()];
    for (let left = count; left > 0; left -= atOnce) await publish(bus, newWishes(Math.min(atOnce, left)));
    await untilStored(before + count);
    const stored = { ...spent(usedBefore), seconds: (performance.now() - begun) / 1000 };
    await untilCounted(context, stack);
    return { stored, counted: { ...spent(usedBefore), seconds: (performance.now() - begun) / 1000 } };
  }
  function spent(before: ReturnType<typeof usageOf<keyof typeof processes>>) {
    const after = usageOf(processes);
    const of = (name: keyof typeof processes) => after[name].cpuSeconds - before[name].cpuSeconds;
    return { services: of('services'), mongodb: of('mongodb'), rabbitmq: of('rabbitmq') };
  }

  try {
    context.say(`${events} events of services …`);
    await untilCounted(context, stack);
    await take(warmUp);
    const { stored, counted } = await take(events);
    // CPU time instead of elapsed time, so that other programs on the machine do not count.
    const onOneCore = events / counted.services;
    const line = ({ seconds, services, mongodb: database, rabbitmq }: typeof stored) => {
      const perThousand = (cpuSeconds: number) => (cpuSeconds / events) * 1000;
      const cpu = { services: perThousand(services), mongodb: perThousand(database), rabbitmq: perThousand(rabbitmq) };
      return { perSecond: events / seconds, cpu };
    };
    return [
      {
        what: 'events of services until they are counted for reports',
        result: `${Math.round(onOneCore)}/s on one core`,
        goal: `≥ ${goal}/s`,
        met: onOneCore >= goal,
        ...line(counted),
      },
      { what: '  until the last one is stored', ...line(stored) },
    ];
  } finally {
    await bus.close();
  }
}
