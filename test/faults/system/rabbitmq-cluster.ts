import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, rabbitmqSettings } from '@storefront/backing';
import type { RabbitmqPrograms, Reaper } from '@storefront/backing';
import { eventually } from '@storefront/testing/eventually';
import { connect } from 'amqplib';
import type { Breakable } from './backing.ts';
import { startNode } from './node-process.ts';

const startMs = 120_000;

/** Three nodes that find each other by their names, with one port mapper and one cookie between them. */
export async function startRabbitmqCluster(options: { programs: RabbitmqPrograms; dataDir: string; reaper: Reaper }) {
  const { programs, dataDir, reaper } = options;
  const cookie = randomBytes(16).toString('hex');
  const taken: number[] = [];
  const port = async () => {
    taken.push(await freePort(taken));
    return taken.at(-1) as number;
  };
  const epmdPort = await port();
  const plans = [];
  for (const at of [1, 2, 3]) {
    const amqp = await port();
    const ports = { amqp, distribution: await port(), epmd: epmdPort, management: await port() };
    plans.push({ at, ports, name: `storefront_${amqp}@localhost`, folder: join(dataDir, `node-${at}`) });
  }
  const finding = [
    'cluster_formation.peer_discovery_backend = classic_config',
    ...plans.map(({ at, name }) => `cluster_formation.classic_config.nodes.${at} = ${name}`),
    '',
  ].join('\n');

  await mkdir(dataDir, { recursive: true });
  const epmd = await startNode({
    command: programs.epmd,
    args: ['-port', String(epmdPort), '-address', '127.0.0.1'],
    logFile: join(dataDir, 'epmd.log'),
    reaper,
    isReady: async () => true,
  });
  const nodes = await Promise.all(
    plans.map(async ({ at, ports, name, folder }) => {
      await mkdir(folder, { recursive: true });
      const env = await rabbitmqSettings(folder, name, ports, false);
      await appendFile(join(folder, 'rabbitmq.conf'), finding);
      await writeFile(join(folder, 'home', '.erlang.cookie'), cookie, { mode: 0o400 });
      const url = `amqp://guest:guest@127.0.0.1:${ports.amqp}`;
      const node = await startNode({
        command: programs.server,
        args: [],
        env,
        logFile: join(dataDir, `rabbitmq-${at}.log`),
        reaper,
        isReady: () => eventually(() => answers(url), 'a RabbitMQ node to answer', startMs),
      });
      return { at, url, node };
    }),
  );
  return {
    urls: nodes.map(({ url }) => url),
    servers: nodes.map(({ at, node }): Breakable => ({
      name: `rabbitmq-${at}`,
      group: 'rabbitmq',
      get pid() {
        return node.pid;
      },
      restart: () => node.restart(),
    })),
    async close() {
      await Promise.all(nodes.map(({ node }) => node.stop()));
      await epmd.stop();
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const connection = await connect(url, { timeout: 2000 });
  await connection.close();
  return true;
}
