import { glob, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { BackingError } from '../error.ts';
import { dataOf, diskFreeLimitMegabytes } from './settings.ts';

/**
 * Throws a BackingError unless the node in `folder` can start without filling its disk. At a start RabbitMQ copies what is in its
 * write-ahead log into files of the queues, and then writes a small file of each quorum queue again, in place. If the disk
 * is full by then, that file stays empty, and no later start opens the queue with what is in it.
 */
export async function checkSpace(folder: string): Promise<void> {
  const data = dataOf(folder);
  let needed = diskFreeLimitMegabytes;
  for await (const log of glob('*/quorum/*/*.wal', { cwd: data }))
    needed += (await stat(join(data, log))).size / 2 ** 20;
  const { bavail, bsize } = await statfs(data);
  const free = (bavail * bsize) / 2 ** 20;
  if (free >= needed) return;
  throw new BackingError(
    `RabbitMQ needs ${Math.ceil(needed)} MB for its start, and ${Math.floor(free)} MB are free on the disk of ${data}: ` +
      'make room there or set DATA_DIR to a folder on another disk.',
  );
}
