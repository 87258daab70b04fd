import { startBacking } from '@storefront/backing';
import type { BackingOptions } from '@storefront/backing';
import type { Lab } from '../lab.ts';
import type { Line } from '../report.ts';
import { startStack } from '../system/start-stack.ts';

const goalSeconds = 3;

/** A second start of the whole system on the same data folder, beside what its servers take by themselves. */
export async function measureStartUp(lab: Lab): Promise<Line[]> {
  await lab.stopSeparate();
  const folder = await lab.folder();
  const start = async () => {
    const stack = await startStack([], { DATA_DIR: folder, MONGODB_URL: '', AMQP_URL: '', SMTP_URL: '' });
    await stack.stop();
    return stack.startedInMs / 1000;
  };
  lab.say('First start …');
  const first = await start();
  lab.say('MongoDB alone, RabbitMQ alone …');
  const { mongodb } = await lab.backing();
  const databaseAlone = await timed(folder, { env: {}, bus: 'in-process' });
  const brokerAlone = await timed(folder, { env: { MONGODB_URL: mongodb.url }, bus: 'rabbitmq' });
  const slower = Math.max(databaseAlone, brokerAlone);
  lab.say('Second start …');
  const second = await start();
  const beyond = second - slower;
  const words = (seconds: number) => `${seconds.toFixed(1)} s`;
  return [
    {
      what: 'second start, beyond the slower of MongoDB and RabbitMQ',
      result: words(beyond),
      goal: `≤ ${goalSeconds} s`,
      met: beyond <= goalSeconds,
    },
    {
      what: '  first start, with demo data; second start',
      result: `${words(first)}; ${words(second)}`,
    },
    { what: '  MongoDB alone; RabbitMQ alone', result: `${words(databaseAlone)}; ${words(brokerAlone)}` },
  ];
}

async function timed(dataDir: string, options: Pick<BackingOptions, 'env' | 'bus'>): Promise<number> {
  const begun = performance.now();
  const backing = await startBacking({ ...options, dataDir, say: () => undefined });
  const seconds = (performance.now() - begun) / 1000;
  await backing.close();
  return seconds;
}
