import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Which process is which; a program that reads the file always finds one whole state. */
export interface ProcessTable {
  set(name: string, pid: number | undefined): void;
  all(): Record<string, number>;
  remove(): void;
}

/** Keeps the table in `file`, rewritten at each change; a process that is down has no entry. */
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
