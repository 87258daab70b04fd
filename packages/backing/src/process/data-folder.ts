import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BackingError, reasonOf } from '../error.ts';
import { startTimeOf } from './start-time.ts';

/** Names one process for good: a pid alone is given to another process some day. */
interface ProcessName {
  pid: number;
  startTime: string;
}

/** What a server's folder remembers from one start to the next. */
interface Remembered<PortName extends string> {
  ports: Partial<Record<PortName, number>>;
  /** The name of the server among its kind, where it needs one that never changes. */
  name?: string;
  /** The server that uses the folder, and the program that started it, if they still live. */
  process?: ProcessName;
  startedBy?: ProcessName;
}

export interface DataFolder<PortName extends string> {
  readonly path: string;
  readonly remembered: Remembered<PortName>;
  remember(next: { ports: Record<PortName, number>; name?: string; pid: number }): Promise<void>;
}

/**
 * Opens the folder of one server and makes it if need be. Two servers on one folder would ruin it, so this throws a
 * BackingError when the last one still runs. One whose program is gone is waited for: its guard is stopping it.
 */
export async function openDataFolder<PortName extends string>(
  path: string,
  owner: string,
  waitMs = 8_000,
): Promise<DataFolder<PortName>> {
  const file = join(path, 'state.json');
  try {
    // Databases and the secrets that open them: nobody else on the machine needs to look in.
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new BackingError(
      `${owner} can't keep its data in ${path} (${reasonOf(error)}): set DATA_DIR to a folder that you may write to.`,
    );
  }
  const remembered = await read<PortName>(file);
  await untilUnused(remembered, path, owner, waitMs);
  return {
    path,
    remembered,
    async remember({ pid, ...next }) {
      const state: Remembered<PortName> = { ...next, ...nameOf('process', pid), ...nameOf('startedBy', process.pid) };
      try {
        await writeFile(`${file}.new`, JSON.stringify(state));
        await rename(`${file}.new`, file);
      } catch (error) {
        throw new BackingError(`${owner} can't write to ${path}: ${reasonOf(error)}.`);
      }
    },
  };
}

async function read<PortName extends string>(file: string): Promise<Remembered<PortName>> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return { ports: {} };
  }
}

async function untilUnused(
  { process: last, startedBy }: Remembered<string>,
  path: string,
  owner: string,
  waitMs: number,
): Promise<void> {
  const deadline = Date.now() + waitMs;
  while (lives(last)) {
    if (lives(startedBy) || Date.now() > deadline) {
      throw new BackingError(
        `${owner} already runs on ${path} (process ${last?.pid}): stop it, or set DATA_DIR to another folder.`,
      );
    }
    await wait(50);
  }
}

function nameOf<Key extends string>(key: Key, pid: number): { [Name in Key]?: ProcessName } {
  const startTime = startTimeOf(pid);
  return startTime === undefined ? {} : ({ [key]: { pid, startTime } } as Record<Key, ProcessName>);
}

function lives(named: ProcessName | undefined): boolean {
  return named !== undefined && startTimeOf(named.pid) === named.startTime;
}
