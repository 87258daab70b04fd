import { writeEvents } from '../events/run.ts';
import type { Lab } from '../lab.ts';
import type { Line } from '../report.ts';
import { usageOf } from '../system/usage.ts';

const goal = 2000;

/** Changes that publish an event each: written, published, confirmed, pulled from the outbox, and delivered. */
export async function measureEvents(lab: Lab): Promise<Line[]> {
  const { mongodb, broker } = await lab.backing();
  const { connections: atOnce, seconds } = lab.options;
  const servers = { mongodb: mongodb.pid ?? 0, rabbitmq: broker.pid ?? 0 };
  const before = usageOf(servers);
  const run = await writeEvents({ mongodbUrl: mongodb.url, amqpUrl: broker.url ?? '', seconds, atOnce });
  const after = usageOf(servers);
  const aThousand = (cpuSeconds: number) => (cpuSeconds / run.events) * 1000;
  // A core gives a second of CPU time each second, whatever else this machine is doing meanwhile.
  const onOneCore = run.events / run.cpuSeconds;
  return [
    {
      what: 'events through outbox and RabbitMQ',
      result: `${Math.round(onOneCore)}/s on one core`,
      goal: `≥ ${goal}/s`,
      met: onOneCore >= goal,
      perSecond: run.events / run.seconds,
      cpu: {
        services: aThousand(run.cpuSeconds),
        mongodb: aThousand(after.mongodb.cpuSeconds - before.mongodb.cpuSeconds),
        rabbitmq: aThousand(after.rabbitmq.cpuSeconds - before.rabbitmq.cpuSeconds),
      },
    },
  ];
}
