import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { controlRabbitmq, findRabbitmq } from '@storefront/backing';
import { eventually } from '@storefront/testing';
import { expect, inject, it, onTestFailed, onTestFinished } from 'vitest';
import { clientOf, mailTo } from './client.ts';
import { mountDisk } from './faults/system/disk.ts';
import { startSeparateSystem } from './separate-system.ts';

// MongoDB alone allocates 300 MB at its start.
const megabytes = 700;

/** What RabbitMQ says to code of Erlang. */
async function evaluate(dataDir: string, code: string): Promise<string> {
  const folder = join(dataDir, 'rabbitmq');
  const { name, ports } = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8'));
  const programs = await findRabbitmq();
  if (!programs) throw new Error('there is no RabbitMQ on this machine');
  const env = { ...process.env, HOME: join(folder, 'home'), ERL_EPMD_PORT: String(ports.epmd) };
  return (await controlRabbitmq(programs, { node: name, env }, ['eval', code])).trim();
}

// Where the disk fills up while RabbitMQ 3 writes its tables, it may never start again.
const writeTables = 'mnesia:dump_log().';
const queuesWithoutProcess =
  '[binary_to_list(element(4, amqqueue:get_name(Q))) || Q <- rabbit_amqqueue:list(), amqqueue:is_quorum(Q), whereis(element(1, amqqueue:get_pid(Q))) == undefined].';

// `npm test` fills no disk of the whole system, since that takes half a minute: the faults of its rig fill the disk of MongoDB.
it.runIf(inject('isProof'))('serves everything again after the disk of DATA_DIR was full', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'storefront-full-disk-'));
  const disk = await mountDisk(folder, megabytes);
  onTestFinished(async () => {
    await disk.close(false);
    await rm(folder, { recursive: true, force: true });
  });
  // What is logged meets the full disk, too.
  const system = await startSeparateSystem('disk', { LOG_LEVEL: 'info' }, { ownServers: true, folder });
  onTestFinished(() => system.close());
  onTestFailed(() => void process.stderr.write(system.said()));
  const client = clientOf(system.gateways[0]);

  let people = 0;
  const register = async () => {
    const email = `person-${(people += 1)}@example.com`;
    const body = { email, password: 'a quiet lake in the morning', firstName: 'Ada', lastName: 'Byron' };
    const { status } = await client.call('POST', '/v1/auth/register', { body });
    return { email, status };
  };
  const expectService = async () => {
    const { email, status } = await register();
    expect(status).toBe(202);
    await mailTo(system.mailbox, email, /code/i);
  };

  await expectService();
  expect(await evaluate(system.dataDir, writeTables)).toBe('dumped');
  await disk.fill();
  // Long enough for the servers to notice: what they answer meanwhile is not the question here.
  const fullUntil = performance.now() + 10_000;
  while (performance.now() < fullUntil) {
    await register().catch(() => undefined);
    await wait(100);
  }
  await disk.free();
  const freedAt = performance.now();
  const isReady = async () => (await client.call('GET', '/v1/health/ready')).body.status === 'ready';
  await eventually(() => isReady().catch(() => false), 'every part to be ready again', 240_000);
  await expectService();
  process.stderr.write(`served ${Math.round(performance.now() - freedAt)} ms after the space had returned\n`);
  // A start of RabbitMQ on a full disk can lose queues.
  expect(await evaluate(system.dataDir, queuesWithoutProcess)).toBe('[]');
});
