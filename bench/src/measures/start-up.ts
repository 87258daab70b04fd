import { startBacking, type BackingOptions } from '@storefront/backing';
import type { BenchContext } from '../context.ts';
import type { ReportLine } from '../report.ts';
import { spawnStack } from '../system/stack-process.ts';

const goalSeconds = 3;

/** A second start of the whole system on the same data folder, compared with the start of its servers alone. */
export async function measureStartUp(context: BenchContext): Promise<ReportLine[]> {
  await context.stopSeparateStack();
  const folder = await context.temporaryFolder();
  const start = async () => {
    const stack = await spawnStack([], { DATA_DIR: folder, MONGODB_URL: '', AMQP_URL: '', SMTP_URL: '' });
    await stack.stop();
    return stack.startedInMs / 1000;
  };
  context.say('First start …');
  const first = await start();
  context.say('MongoDB alone, RabbitMQ alone …');
  const { mongodb } = await context.backing();
  const databaseAlone = await secondsToStart(folder, { env: {}, bus: 'in-process' });
  const brokerAlone = await secondsToStart(folder, { env: { MONGODB_URL: mongodb.url }, bus: 'rabbitmq' });
  const slower = Math.max(databaseAlone, brokerAlone);
  context.say('Second start …');
  const second = await start();
  const beyond = second - slower;
  const format = (seconds: number) => `${seconds.toFixed(1)} s`;
  return [
    {
      what: 'second start, beyond the slower of MongoDB and RabbitMQ',
      result: format(beyond),
      goal: `≤ ${goalSeconds} s`,
      met: beyond <= goalSeconds,
    },
    {
      what: '  first start, with demo data; second start',
      result: `${format(first)}; ${format(second)}`,
    },
    { what: '  MongoDB alone; RabbitMQ alone', result: `${format(databaseAlone)}; ${format(brokerAlone)}` },
  ];
}

async function secondsToStart(dataDir: string, options: Pick<BackingOptions, 'env' | 'bus'>): Promise<number> {
  const begun = performance.now();
  const backing = await startBacking({ ...options, dataDir, say: () => undefined });
  const seconds = (performance.now() - begun) / 1000;
  await backing.close();
  return seconds;
}
