import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BackingError, reasonOf } from '../error.ts';
import { startTimeOf } from './start-time.ts';

/** Identifies one process. The pid alone is not enough, because the system may give the same pid to a later process. */
interface ProcessIdentity {
  pid: number;
  startTime: string;
}

/** The state that a server's folder keeps from one start to the next. */
interface FolderState<PortName extends string> {
  ports: Partial<Record<PortName, number>>;
  /** The server's name, for servers whose data belongs to a name. */
  name?: string;
  /** The last server process that used the folder; `startedBy` is the program that started it. */
  process?: ProcessIdentity;
  startedBy?: ProcessIdentity;
}

export interface DataFolder<PortName extends string> {
  readonly path: string;
  /** The state of the last start. */
  readonly last: FolderState<PortName>;
  /** Stores the state of this start. */
  save(next: { ports: Record<PortName, number>; name?: string; pid: number }): Promise<void>;
}

const waitForReaperMs = 8_000;

/**
 * Opens the data folder of one server and creates it if it is missing. Two servers would destroy the data of a shared
 * folder, so this throws a BackingError if the last server still runs. If the program that started the last server has
 * ended, the reaper is stopping that server; then this waits up to 8 s for its end.
 */
export async function openDataFolder<PortName extends string>(
  path: string,
  serverName: string,
): Promise<DataFolder<PortName>> {
  const file = join(path, 'state.json');
  try {
    // Only the owner may read the folder, because it holds databases.
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new BackingError(
      `${serverName} can't keep its data in ${path} (${reasonOf(error)}): ` +
        'set DATA_DIR to a folder that you may write to.',
    );
  }
  const last = await readState<PortName>(file);
  await untilUnused(last, path, serverName);
  return {
    path,
    last,
    async save({ pid, ...next }) {
      const state: FolderState<PortName> = {
        ...next,
        ...identify('process', pid),
        ...identify('startedBy', process.pid),
      };
      try {
        await writeFile(`${file}.new`, JSON.stringify(state));
        await rename(`${file}.new`, file);
      } catch (error) {
        throw new BackingError(`${serverName} can't write to ${path}: ${reasonOf(error)}.`);
      }
    },
  };
}

async function readState<PortName extends string>(file: string): Promise<FolderState<PortName>> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return { ports: {} };
  }
}

async function untilUnused(
  { process: server, startedBy }: FolderState<string>,
  path: string,
  serverName: string,
): Promise<void> {
  const deadline = Date.now() + waitForReaperMs;
  while (isRunning(server)) {
    if (isRunning(startedBy) || Date.now() > deadline) {
      throw new BackingError(
        `${serverName} already runs on ${path} (process ${server?.pid}): stop it, or set DATA_DIR to another folder.`,
      );
    }
    await wait(50);
  }
}

function identify<Key extends string>(key: Key, pid: number): { [Name in Key]?: ProcessIdentity } {
  const startTime = startTimeOf(pid);
  return startTime === undefined ? {} : ({ [key]: { pid, startTime } } as Record<Key, ProcessIdentity>);
}

function isRunning(process: ProcessIdentity | undefined): boolean {
  return process !== undefined && startTimeOf(process.pid) === process.startTime;
}
