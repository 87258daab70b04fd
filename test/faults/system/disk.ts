import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A small filesystem of its own, which can be filled. */
export interface Disk {
  /** Writes until nothing more fits. */
  fill(): Promise<void>;
  /** Removes what `fill` has written. */
  free(): Promise<void>;
  /** Unmounts it. `keepData` keeps its files in the same folder; otherwise they are lost. */
  close(keepData: boolean): Promise<void>;
}

const run = promisify(execFile);
const largestWrite = 8 * 1024 * 1024;

/**
 * Mounts an empty filesystem in memory on the folder. Throws where this user may not mount one: that takes root, and in a
 * container the capability SYS_ADMIN.
 */
export async function mountDisk(folder: string, megabytes: number): Promise<Disk> {
  await mkdir(folder, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder]);
  // Where the rig is ended in the middle.
  const unmount = () => void execFileSync('umount', ['--lazy', folder]);
  process.once('exit', unmount);
  const filler = join(folder, 'filler');
  return {
    async fill() {
      const file = await open(filler, 'a');
      try {
        for (let size = largestWrite; size >= 1; size = Math.floor(size / 2)) await writeUntilFull(file, size);
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
    async close(keepData) {
      const kept = `${folder}.kept`;
      if (keepData) await cp(folder, kept, { recursive: true });
      process.off('exit', unmount);
      await run('umount', ['--lazy', folder]);
      if (keepData) await rename(kept, folder);
    },
  };
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, size: number): Promise<void> {
  const content = Buffer.alloc(size);
  for (;;) {
    try {
      const { bytesWritten } = await file.write(content);
      if (bytesWritten < size) return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
      throw error;
    }
  }
}
