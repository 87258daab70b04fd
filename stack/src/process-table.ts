import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { reasonOf } from '@storefront/backing';

/**
 * Writes the pids of the instances and servers to a file that other programs can read. A reader always finds a complete
 * table.
 */
export interface ProcessTable {
  set(name: string, pid: number | undefined): void;
  all(): Record<string, number>;
  remove(): void;
}

const retryMs = 500;

/**
 * Writes the table to `file` at each change. Where writing fails, for example because the disk is full, it is repeated
 * every half second. Only running processes are in the table.
 */
export function createProcessTable(file: string, say: (line: string) => void): ProcessTable {
  const processes = new Map<string, number>();
  let retry: NodeJS.Timeout | undefined;

  function write(): void {
    clearTimeout(retry);
    try {
      writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(processes)));
      renameSync(`${file}.new`, file);
      if (retry) say(`${file} is written again.`);
      retry = undefined;
    } catch (error) {
      if (!retry) say(`${file} can't be written, and is tried again: ${reasonOf(error)}`);
      retry = setTimeout(write, retryMs).unref();
    }
  }

  return {
    set(name, pid) {
      if (pid === undefined) processes.delete(name);
      else processes.set(name, pid);
      write();
    },
    all: () => Object.fromEntries(processes),
    remove() {
      clearTimeout(retry);
      rmSync(file, { force: true });
    },
  };
}
