import { lastLines, startProcess, type ManagedProcess, type Reaper } from '@storefront/backing';
import { StackError } from './error.ts';
import type { Instance } from './instances.ts';

// A service that cannot close within 9.5 s ends itself, so 12 s are enough.
const graceMs = 12_000;

/**
 * These limits are for one process with the whole system. A separate service uses V8's defaults, as in its image.
 */
const isHeapLimit = (option: string) => /^--(max-semi-space-size|heap-growing-percent)=/.test(option);

/**
 * Starts an instance as a separate process. Resolves when the instance listens. Its output is appended to `logFile`.
 * Throws a StackError where the process ends first.
 */
export async function spawnInstance(
  { name, service, env }: Instance,
  logFile: string,
  reaper: Reaper,
): Promise<Pick<ManagedProcess, 'pid' | 'ended' | 'stop'>> {
  const started = await startProcess({
    command: process.execPath,
    args: [...process.execArgv.filter((option) => !isHeapLimit(option)), service.mainFile],
    env,
    logFile,
    appendLog: true,
    ipc: true,
    reaper,
  });
  const listening = started.firstMessage.then(() => 'listening');
  const first = await Promise.race([listening, started.ended]);
  if (first !== 'listening')
    throw new StackError(
      `${name} could not start (${first}). Its log, ${logFile}, ends with:\n${lastLines(logFile, 8)}`,
    );
  return { pid: started.pid, ended: started.ended, stop: () => started.stop(graceMs) };
}
