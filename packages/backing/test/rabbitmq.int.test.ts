import { once } from 'node:events';
import { access, glob, mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect, type ConfirmChannel } from 'amqplib';
import { expect, onTestFinished, test } from 'vitest';
import { BackingError, findRabbitmq, startRabbitmq } from '@storefront/backing';
import { eventually } from '@storefront/testing/eventually';
import { temporaryFolder } from './folder.ts';

const programs = await findRabbitmq();

/** A server that runs a command and ends with 4. */
async function failingPrograms(folder: string, command: string) {
  const [server, epmd] = [join(folder, 'rabbitmq-server'), join(folder, 'epmd')];
  await writeFile(server, `#!/bin/sh\n${command}\nexit 4\n`, { mode: 0o755 });
  await writeFile(epmd, '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
  return { server, epmd };
}

async function withChannel<Answer>(url: string, use: (channel: ConfirmChannel) => Promise<Answer>): Promise<Answer> {
  const connection = await connect(url);
  try {
    return await use(await connection.createConfirmChannel());
  } finally {
    await connection.close();
  }
}

async function listsQueue(dataDir: string, queue: string): Promise<boolean> {
  const lists = glob('db/*/quorum/*/names.dets', { cwd: dataDir });
  const texts = await Array.fromAsync(lists, (list) => readFile(join(dataDir, list), 'latin1'));
  return texts.some((text) => text.includes(queue));
}

const messagesWaiting = (url: string) =>
  withChannel(url, async (channel) => {
    const { messageCount } = await channel.checkQueue('parcels');
    return messageCount;
  });

test.runIf(programs)('RabbitMQ keeps address and durable queues over SIGKILL, restart and a second start', async () => {
  if (!programs) return;
  const dataDir = await temporaryFolder();
  const exits: string[] = [];
  const first = await startRabbitmq({ programs, dataDir, onExit: (detail) => exits.push(detail) });
  onTestFinished(() => first.close());
  expect(first.managementUrl).toBeUndefined();
  await withChannel(first.url, async (channel) => {
    await channel.assertQueue('parcels', { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    channel.sendToQueue('parcels', Buffer.from('one'), { persistent: true });
    await channel.waitForConfirms();
  });

  // RabbitMQ 3.10 writes the list of its quorum queues half a second after a declaration; a kill before that loses the
  // queue.
  await eventually(() => listsQueue(dataDir, 'parcels'), 'the queue in the list on the disk');
  const killed = first.pid;
  process.kill(killed, 'SIGKILL');
  await eventually(() => exits.length > 0, 'the report that RabbitMQ was killed');
  expect(exits).toEqual([expect.stringContaining('SIGKILL')]);
  await first.restart();
  expect(first.pid).not.toBe(killed);
  expect(await eventually(() => messagesWaiting(first.url), 'the parcel after the restart')).toBe(1);
  await first.close();
  expect(exits).toHaveLength(1);

  const second = await startRabbitmq({ programs, dataDir, management: true });
  onTestFinished(() => second.close());
  expect(second.url).toBe(first.url);
  expect(await eventually(() => messagesWaiting(second.url), 'the parcel after the second start')).toBe(1);
  const management = new URL(second.managementUrl ?? '');
  const overview = await fetch(`${management.origin}/api/overview`, {
    headers: { authorization: `Basic ${btoa(`${management.username}:${management.password}`)}`, connection: 'close' },
  });
  expect(await overview.json()).toMatchObject({ rabbitmq_version: second.version });
  await expect(startRabbitmq({ programs, dataDir })).rejects.toThrow(
    new BackingError(
      `RabbitMQ already runs on ${dataDir} (process ${second.pid}): stop it, or set DATA_DIR to another folder.`,
    ),
  );
});

test.runIf(programs)(
  'a folder that can not be written to and a port in use are reported with clear messages',
  async () => {
    if (!programs) return;
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'file'), '');
    await expect(startRabbitmq({ programs, dataDir: join(folder, 'file', 'rabbitmq') })).rejects.toThrow(
      /RabbitMQ can't keep its data in .*: set DATA_DIR to a folder that you may write to\.$/,
    );
    const occupant = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void occupant.close());
    await once(occupant, 'listening');
    const { port } = occupant.address() as AddressInfo;
    await expect(startRabbitmq({ programs, dataDir: join(folder, 'rabbitmq'), port })).rejects.toThrow(
      new BackingError(`Port ${port} for RabbitMQ is in use: end what listens there or choose another port.`),
    );
  },
);

test('a server that ends while it starts is reported with its last output', async () => {
  const folder = await temporaryFolder();
  const failing = await failingPrograms(folder, 'echo "no Erlang here"');
  await expect(startRabbitmq({ programs: failing, dataDir: join(folder, 'data') })).rejects.toThrow(
    /rabbitmq-server did not start on .* \(ended with exit code 4\): read its last lines.*\nno Erlang here$/,
  );
});

test('RabbitMQ is not started where the start could fill the disk, so that no queue is lost', async () => {
  const dataDir = await temporaryFolder();
  const failing = await failingPrograms(dataDir, 'touch started');
  // A write-ahead log that is larger than any disk, of which nothing is stored.
  const logs = join(dataDir, 'db/storefront@localhost/quorum/storefront@localhost');
  await mkdir(logs, { recursive: true });
  await writeFile(join(logs, '00000001.wal'), '');
  await truncate(join(logs, '00000001.wal'), 8 * 2 ** 40);
  await expect(startRabbitmq({ programs: failing, dataDir })).rejects.toThrow(
    /^RabbitMQ needs 8388658 MB for its start, and \d+ MB are free on the disk of .*: make room there or set DATA_DIR to a folder on another disk\.$/,
  );
  await expect(access(join(dataDir, 'started'))).rejects.toThrow('ENOENT');
});

test.runIf(programs)(
  'RabbitMQ ends when its log of quorum queues has ended, so that all queues come back',
  async () => {
    if (!programs) return;
    const exits: string[] = [];
    const dataDir = await temporaryFolder();
    // As on a full disk, where no line can be written to its log.
    await symlink('/dev/full', join(dataDir, 'rabbitmq.log'));
    const server = await startRabbitmq({ programs, dataDir, onExit: (detail) => exits.push(detail) });
    onTestFinished(() => server.close());
    await withChannel(server.url, async (channel) => {
      await channel.assertQueue('parcels', { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    });
    await eventually(() => listsQueue(dataDir, 'parcels'), 'the queue in the list on the disk');
    // As a full disk ends the log of quorum queues. It is started again, but queues may stay away.
    await server.control('eval', 'exit(whereis(ra_log_wal), kill).');
    await eventually(() => exits.length > 0, 'RabbitMQ to end', 60_000);
    expect(exits).toEqual([expect.stringContaining('exit code 1')]);

    await server.restart();
    await withChannel(server.url, async (channel) => {
      channel.sendToQueue('parcels', Buffer.from('one'), { persistent: true });
      await channel.waitForConfirms();
    });
    await eventually(async () => (await messagesWaiting(server.url)) === 1, 'the parcel');
  },
);
