import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, rabbitmqSettings } from '@storefront/backing';
import type { RabbitmqPrograms, Reaper } from '@storefront/backing';
import { eventually } from '@storefront/testing/eventually';
import { connect } from 'amqplib';
import type { Breakable, Role } from './backing.ts';
import { startNode } from './node-process.ts';

const startMs = 120_000;
const electionMs = 60_000;
const run = promisify(execFile);

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
    plans.map(async ({ at, ports, name: erlangName, folder }) => {
      await mkdir(folder, { recursive: true });
      const env = await rabbitmqSettings(programs, folder, erlangName, ports, false);
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
      return { name: `rabbitmq-${at}`, erlangName, url, node, env };
    }),
  );
  let asked = 0;
  const leader: Role = {
    name: 'rabbitmq-leader',
    group: 'rabbitmq',
    player: () => eventually(findLeader, 'the queues to have leaders', electionMs),
  };

  /** Who leads most of the queues that hold something; where none does, most of all. */
  async function findLeader(): Promise<string | undefined> {
    const { erlangName, env } = nodes[asked++ % nodes.length] as (typeof nodes)[number];
    const queues = await listQueues(programs, erlangName, env);
    const weights = nodes.map((each) => {
      const led = queues.filter((queue) => queue.leader === each.erlangName);
      return { name: each.name, led: led.length, full: led.filter(({ messages }) => messages > 0).length };
    });
    const [first] = weights.toSorted((a, b) => b.full - a.full || b.led - a.led);
    return first && first.led > 0 ? first.name : undefined;
  }

  return {
    leader,
    urls: nodes.map(({ url }) => url),
    servers: nodes.map(({ name, node }): Breakable => ({
      name,
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

interface Queue {
  readonly leader?: string;
  readonly messages: number;
}

/** As the broker's own tool tells it: what the management API says of leaders is up to five seconds old. */
async function listQueues({ server }: RabbitmqPrograms, node: string, env: NodeJS.ProcessEnv): Promise<Queue[]> {
  const tool = join(dirname(server), 'rabbitmqctl');
  const asJson = ['--quiet', '--formatter', 'json'];
  const { stdout } = await run(tool, ['-n', node, ...asJson, 'list_queues', 'leader', 'messages'], {
    env,
    timeout: 20_000,
  });
  return JSON.parse(stdout) as Queue[];
}

async function answers(url: string): Promise<boolean> {
  const connection = await connect(url, { timeout: 2000 });
  await connection.close();
  return true;
}
