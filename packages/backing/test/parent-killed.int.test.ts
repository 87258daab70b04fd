import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findMongod, findRabbitmq } from '@storefront/backing';
import { eventually } from '@storefront/testing/eventually';
import { temporaryFolder } from './folder.ts';
import { startParent } from './parent.ts';

// A mongod on the PATH comes before one in Docker, whose processes belong to nobody here.
const PATH = [dirname(await findMongod(() => undefined)), process.env['PATH']].join(delimiter);
const bus = (await findRabbitmq()) ? 'rabbitmq' : 'in-process';

/** All processes that have the folder in their arguments or their environment. */
async function processesOf(folder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const matches = pids.map(async (pid) => {
    const texts = ['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => ''));
    return (await Promise.all(texts)).some((text) => text.includes(folder)) ? [pid] : [];
  });
  return (await Promise.all(matches)).flat();
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

test.runIf(existsSync('/proc/self/stat'))(
  'the servers of a killed parent end, free their ports, and can be started again at once',
  async () => {
    const folder = await temporaryFolder();
    const dataDir = join(folder, 'data');
    const removed = join(folder, 'to be removed');
    await mkdir(join(removed, 'deep'), { recursive: true });

    const start = () => startParent({ dataDir, removed, bus }, { ...process.env, PATH });
    const first = await start();
    expect(await Promise.all(first.ports.map(listens))).toEqual(first.ports.map(() => true));
    // The parent, mongod, and with RabbitMQ its node and port mapper at least.
    expect((await processesOf(dataDir)).length).toBeGreaterThanOrEqual(first.ports.length > 3 ? 4 : 2);
    first.parent.kill('SIGKILL');

    // The first one's folder is being removed: `mkdir` fails where it goes while that looks at it.
    const make = () =>
      mkdir(removed, { recursive: true }).then(
        () => true,
        () => false,
      );
    await eventually(make, 'a folder for the second one to remove');
    const second = await start();
    const kept = first.ports.length - 2;
    // Meanwhile another program may have taken a port that was free.
    for (const [place, port] of first.ports.slice(0, kept).entries())
      expect(second.ports[place] === port || (await listens(port)), `${port} is kept`).toBe(true);
    second.parent.kill('SIGKILL');

    await eventually(async () => (await processesOf(dataDir)).length === 0, 'the end of all processes');
    await eventually(() => !existsSync(removed), 'the removal of the folder');
    expect(await Promise.all(second.ports.map(listens))).toEqual(second.ports.map(() => false));
  },
);
