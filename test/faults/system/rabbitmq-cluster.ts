import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  controlRabbitmq,
  freePort,
  startProcess,
  writeRabbitmqSettings,
  type RabbitmqPrograms,
  type Reaper,
} from '@storefront/backing';
import { eventually } from '@storefront/testing/eventually';
import { connect } from 'amqplib';
import type { ClusterRole, RigServer } from './backing.ts';
import { startNode } from './cluster-node.ts';

const startTimeoutMs = 120_000;
const electionTimeoutMs = 60_000;

/** Starts three nodes with a shared port mapper and cookie, which form a cluster. */
export async function startRabbitmqCluster(options: { programs: RabbitmqPrograms; dataDir: string; reaper: Reaper }) {
  const { programs, dataDir, reaper } = options;
  const cookie = randomBytes(16).toString('hex');
  const taken: number[] = [];
  const newPort = async () => {
    taken.push(await freePort(taken));
    return taken.at(-1) as number;
  };
  const epmdPort = await newPort();
  const nodePlans = [];
  for (const at of [1, 2, 3]) {
    const amqp = await newPort();
    const ports = { amqp, distribution: await newPort(), epmd: epmdPort, management: await newPort() };
    nodePlans.push({ at, ports, name: `storefront_${amqp}@localhost`, folder: join(dataDir, `node-${at}`) });
  }
  const discovery = [
    'cluster_formation.peer_discovery_backend = classic_config',
    ...nodePlans.map(({ at, name }) => `cluster_formation.classic_config.nodes.${at} = ${name}`),
    '',
  ].join('\n');

  await mkdir(dataDir, { recursive: true });
  const epmd = await startProcess({
    command: programs.epmd,
    args: ['-port', String(epmdPort), '-address', '127.0.0.1'],
    logFile: join(dataDir, 'epmd.log'),
    reaper,
  });
  const nodes = await Promise.all(
    nodePlans.map(async ({ at, ports, name: erlangName, folder }) => {
      await mkdir(folder, { recursive: true });
      const env = await writeRabbitmqSettings(programs, folder, erlangName, ports, false);
      await appendFile(join(folder, 'rabbitmq.conf'), discovery);
      await writeFile(join(folder, 'home', '.erlang.cookie'), cookie, { mode: 0o400 });
      const url = `amqp://guest:guest@127.0.0.1:${ports.amqp}`;
      const logFile = join(dataDir, `rabbitmq-${at}.log`);
      const node = await startNode({ command: programs.server, args: [], env, logFile, reaper }, () =>
        eventually(() => answers(url), 'a RabbitMQ node to answer', startTimeoutMs),
      );
      const control = (...args: string[]) => controlRabbitmq(programs, { node: erlangName, env }, args);
      return { name: `rabbitmq-${at}`, erlangName, url, node, control };
    }),
  );
  const leader: ClusterRole = {
    name: 'rabbitmq-leader',
    group: 'rabbitmq',
    holder: () => eventually(findLeader, 'the queues to have leaders', electionTimeoutMs),
  };

  /** The node that leads most of the queues with messages, or most of all queues if no queue has messages. */
  async function findLeader(): Promise<string | undefined> {
    const answers = await Promise.allSettled(
      nodes.map(async ({ name, control }) => ({ name, ...(await countLed(control)) })),
    );
    // A node that is away leads no queue.
    const counts = answers.filter((answer) => answer.status === 'fulfilled').map(({ value }) => value);
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (counts.length === 0) throw failed?.reason;
    const [first] = counts.toSorted((a, b) => b.full - a.full || b.led - a.led);
    return first && first.led > 0 ? first.name : undefined;
  }

  return {
    leader,
    urls: nodes.map(({ url }) => url),
    servers: nodes.map(({ name, node, control }): RigServer => ({
      name,
      group: 'rabbitmq',
      control,
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

// `list_queues` may break off in the middle of its answer while another node is away. This asks a node only for what it
// has in its own memory; the management API may be five seconds behind.
const ledByNode = `
  Led = [Q || Q <- rabbit_amqqueue:list_local(<<"/">>), amqqueue:get_type(Q) =:= rabbit_quorum_queue],
  Full = [Q || Q <- Led, proplists:get_value(messages, rabbit_quorum_queue:info(Q, [messages])) > 0],
  {length(Led), length(Full)}.`;

/** Counts the queues that a node leads, and those of them with messages. */
async function countLed(control: (...args: string[]) => Promise<string>): Promise<{ led: number; full: number }> {
  const answer = await control('eval', ledByNode);
  const [, led, full] = /^\{(\d+),(\d+)\}$/.exec(answer.trim()) ?? [];
  if (led === undefined) throw new Error(`a node says of its queues: ${answer}`);
  return { led: Number(led), full: Number(full) };
}

async function answers(url: string): Promise<boolean> {
  const connection = await connect(url, { timeout: 2000 });
  await connection.close();
  return true;
}
