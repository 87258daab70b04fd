import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** The pids of the instances and servers, in a file for other programs. A reader always finds a complete table. */
export interface ProcessTable {
  set(name: string, pid: number | undefined): void;
  all(): Record<string, number>;
  remove(): void;
}

/** Writes the table to `file` at each change. A process that does not run has no entry. */
export function createProcessTable(file: string): ProcessTable {
  const processes = new Map<string, number>();
  return {
    set(name, pid) {
      if (pid === undefined) processes.delete(name);
      else processes.set(name, pid);
      writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(processes)));
      renameSync(`${file}.new`, file);
    },
    all: () => Object.fromEntries(processes),
    remove: () => rmSync(file, { force: true }),
  };
}
