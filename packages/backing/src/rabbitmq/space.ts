import { glob, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { BackingError } from '../error.ts';
import { dataOf, diskFreeLimitMegabytes } from './settings.ts';

/**
 * Throws a BackingError unless the node in `folder` can start without filling its disk. At a start RabbitMQ copies what is in its
 * write-ahead log into files of the queues, and then writes a small file of each quorum queue again, in place. If the disk
 * is full by then, that file stays empty: no later start opens the queue again, and what was in it is lost.
 */
export async function checkSpace(folder: string): Promise<void> {
  const data = dataOf(folder);
  const logs = await Array.fromAsync(glob('*/quorum/*/*.wal', { cwd: data }), (log) => stat(join(data, log)));
  const needed = logs.reduce((sum, { size }) => sum + size, 0) / 2 ** 20 + diskFreeLimitMegabytes;
  const { bavail, bsize } = await statfs(data);
  const free = (bavail * bsize) / 2 ** 20;
  if (free >= needed) return;
  throw new BackingError(
    `RabbitMQ needs ${Math.ceil(needed)} MB for its start, and ${Math.floor(free)} MB are free on the disk of ${data}: ` +
      'make room there or set DATA_DIR to a folder on another disk.',
  );
}
