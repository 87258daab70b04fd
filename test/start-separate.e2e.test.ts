import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { controlRabbitmq, findRabbitmq } from '@storefront/backing';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { clientOf, type Client } from './client.ts';
import { mountDisk } from './faults/system/disk.ts';
import { expectNothingLeft } from './nothing-left.ts';
import { patient } from './patient.ts';
import { alive, familyOf, start, type Description, type Started } from './start-process.ts';

// MongoDB alone allocates 300 MB at its start.
const megabytes = 700;
const root = await mkdtemp(join(tmpdir(), 'storefront-separate-start-'));
// `npm test` tests no full disk of the whole system, since that takes half a minute: the faults of its rig fill the disk of MongoDB.
const isProof = inject('isProof');
const disk = isProof ? await mountDisk(root, megabytes) : undefined;

/** One system for all of these tests: to start it takes more of the processor's time than most of them. */
describe('npm start -- --separate', () => {
  const dataDir = join(root, 'data');
  let started: Started;
  let description: Description;
  let api: Client;
  let people = 0;

  beforeAll(async () => {
    started = start(['--json', '--separate', '--empty', '--gateways', '2'], {
      PORT: '0',
      MAILBOX_PORT: '0',
      PAYMENTS_PORT: '0',
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
      // What is logged meets the full disk, too.
      LOG_LEVEL: 'info',
      ...patient,
    });
    description = await started.ready();
    api = clientOf(description.gateways[0] ?? '');
  });
  beforeEach(({ onTestFailed }) => {
    onTestFailed(() => void process.stderr.write(started.stderr()));
  });
  afterAll(async () => {
    started.kill('SIGTERM');
    await started.exited;
    await disk?.close(false);
    await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  });

  const processes = () =>
    JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')) as Readonly<Record<string, number>>;

  function pidOf(name: string): number {
    const pid = processes()[name];
    // 0 would be all processes of this test.
    if (!pid) throw new Error(`${name} is not running`);
    return pid;
  }

  /** Has RabbitMQ write its tables now. Where the disk fills up while it does, RabbitMQ 3 may never start again. */
  async function writeTables(): Promise<void> {
    const folder = join(dataDir, 'rabbitmq');
    const { name, ports } = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8'));
    const programs = await findRabbitmq();
    if (!programs) throw new Error('there is no RabbitMQ on this machine');
    const env = { ...process.env, HOME: join(folder, 'home'), ERL_EPMD_PORT: String(ports.epmd) };
    const said = await controlRabbitmq(programs, { node: name, env }, ['eval', 'mnesia:dump_log().']);
    expect(said.trim()).toBe('dumped');
  }

  const ready = () =>
    api.call('GET', '/v1/health/ready').then(
      ({ body }) => body.status === 'ready',
      () => false,
    );

  async function register(): Promise<{ email: string; status: number }> {
    const email = `person-${(people += 1)}@example.com`;
    const body = { email, password: 'a quiet lake in the morning', firstName: 'Ada', lastName: 'Byron' };
    return api.call('POST', '/v1/auth/register', { body }).then(
      ({ status }) => ({ email, status }),
      () => ({ email, status: 0 }),
    );
  }

  /** Registers somebody, and waits for their mail. */
  async function expectService(): Promise<void> {
    const { email, status } = await register();
    expect(status).toBe(202);
    const page = `${description.mailbox}/api/v1/search?query=to:"${email}"`;
    await eventually(
      async () => ((await (await fetch(page)).json()) as { messages_count: number }).messages_count > 0,
      'the mail of somebody who registered',
      60_000,
    );
  }

  it('runs every part in a process of its own', async () => {
    const names = ['gateway-1', 'gateway-2', 'identity', 'engagement', 'health', 'rabbitmq', 'mongodb'];
    expect(Object.keys(description.processes ?? {})).toEqual(expect.arrayContaining(names));
    expect(processes()).toEqual(description.processes);
    await expectService();
  });

  it.skipIf(!disk)(
    'serves everything again after the disk of DATA_DIR was full (`npm run proof -- disk`)',
    async () => {
      await writeTables();
      await disk?.fill();
      // Long enough for the servers to notice: what they answer meanwhile is not the question here.
      const fullUntil = performance.now() + 10_000;
      while (performance.now() < fullUntil) {
        await register();
        await wait(100);
      }
      await disk?.free();
      const freedAt = performance.now();
      await eventually(ready, 'every part to be ready again', 240_000);
      await expectService();
      process.stderr.write(`served ${Math.round(performance.now() - freedAt)} ms after the space had returned\n`);
    },
  );

  it('starts again what dies', async () => {
    const killAll = (killed: readonly string[]) =>
      Promise.all(
        killed.map((name) => {
          const before = pidOf(name);
          process.kill(before, 'SIGKILL');
          return eventually(
            () => {
              const now = processes()[name] ?? before;
              return now !== before && alive(familyOf(now)).some(({ pid }) => pid === now);
            },
            `${name} in processes.json with another pid, alive`,
            90_000,
          );
        }),
      );
    await killAll(['identity', 'gateway-1']);
    await killAll(['mongodb', 'rabbitmq']);
    await eventually(ready, 'all to be ready', 240_000);
    const body = description.accounts['admin'];
    expect((await api.call('POST', '/v1/auth/login', { body })).body.user.role).toBe('admin');
  });

  it('leaves nothing when it is killed itself', async () => {
    const family = familyOf(started.pid);
    // The one that watches over all of them is killed, and one that is halted can't hear of it.
    process.kill(pidOf('engagement'), 'SIGSTOP');
    const watcher = family.find(({ parent, command }) => parent === started.pid && command.includes('main.ts'));
    if (!watcher) throw new Error('nobody watches over them');
    process.kill(watcher.pid, 'SIGKILL');
    await expectNothingLeft(family, description);
  });
});
