import { writeEvents } from '../events/run.ts';
import type { BenchContext } from '../context.ts';
import type { ReportLine } from '../report.ts';
import { usageOf } from '../system/usage.ts';

const goal = 2000;

/** Changes that publish an event each: written, published, confirmed, removed from the outbox, and delivered. */
export async function measureEvents(context: BenchContext): Promise<ReportLine[]> {
  const { mongodb, broker } = await context.backing();
  const { connections: concurrency, seconds } = context.options;
  const servers = { mongodb: mongodb.pid ?? 0, rabbitmq: broker.pid ?? 0 };
  const before = usageOf(servers);
  const run = await writeEvents({ mongodbUrl: mongodb.url, amqpUrl: broker.url ?? '', seconds, concurrency });
  const after = usageOf(servers);
  const perThousand = (cpuSeconds: number) => (cpuSeconds / run.events) * 1000;
  // CPU time instead of elapsed time, so that other programs on the machine do not count.
  const onOneCore = run.events / run.cpuSeconds;
  return [
    {
      what: 'events through outbox and RabbitMQ',
      result: `${Math.round(onOneCore)}/s on one core`,
      goal: `≥ ${goal}/s`,
      met: onOneCore >= goal,
      perSecond: run.events / run.seconds,
      cpu: {
        services: perThousand(run.cpuSeconds),
        mongodb: perThousand(after.mongodb.cpuSeconds - before.mongodb.cpuSeconds),
        rabbitmq: perThousand(after.rabbitmq.cpuSeconds - before.rabbitmq.cpuSeconds),
      },
    },
  ];
}
