import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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
  /** The last process that used the folder; `startedBy` is the program that started it, which may be the same. */
  process?: ProcessIdentity;
  startedBy?: ProcessIdentity;
}

export interface DataFolder<PortName extends string> {
  readonly path: string;
  /** The state of the last start. */
  readonly last: FolderState<PortName>;
  /** Stores the state of this start. `pid` is null once the folder is not used any more, though its process goes on. */
  save(next: { ports: Record<PortName, number>; name?: string; pid: number | null }): Promise<void>;
}

const waitForReaperMs = 8_000;

/**
 * Opens the data folder of one server, or of a whole system, and creates it if it is missing. Two of them would destroy
 * the data of a shared folder, so this throws a BackingError if the last one still runs in another process. If the
 * program that started the last server has ended, the reaper is stopping that server; then this waits up to 8 s for its
 * end.
 */
export async function openDataFolder<PortName extends string>(
  path: string,
  serverName: string,
): Promise<DataFolder<PortName>> {
  const file = join(path, 'state.json');
  const unusable = (error: unknown) =>
    new BackingError(
      `${serverName} can't keep its data in ${path} (${reasonOf(error)}): ` +
        'set DATA_DIR to a folder that you may write to.',
    );
  await makeFolder(path).catch((error: unknown) => {
    throw unusable(error);
  });
  const last = await readState<PortName>(file);
  await untilUnused(last, path, serverName);
  return {
    path,
    last,
    async save({ pid, ...next }) {
      const state: FolderState<PortName> = {
        ...next,
        ...(pid !== null && { ...identify('process', pid), ...identify('startedBy', process.pid) }),
      };
      try {
        await writeFile(`${file}.new`, JSON.stringify(state));
        await rename(`${file}.new`, file);
      } catch (error) {
        throw unusable(error);
      }
    },
  };
}

/**
 * Creates the folder, with those above it, if it is missing. `mkdir` with `recursive` tries forever under `/proc`, where
 * nothing can be created.
 */
async function makeFolder(path: string): Promise<void> {
  // Only the owner may read the folder, because it holds databases.
  const make = () => mkdir(path, { mode: 0o700 });
  try {
    await make();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && dirname(path) !== path) {
      await makeFolder(dirname(path));
      await make();
    } else if (code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
  }
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
  while (isRunning(server) && server?.pid !== process.pid) {
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
