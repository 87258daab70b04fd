import { reasonOf, startProcess, whenReady, type ManagedProcessOptions } from '@storefront/backing';

/** A process of a cluster that can be killed and started again. */
export interface ClusterNode {
  readonly pid: number;
  /** Starts it again, whether it has ended or still runs. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const graceMs = 15_000;
const startTimeoutMs = 120_000;

/** Starts a node. Each start waits for `untilReady`. Throws if the process ends first. */
export async function startNode(
  options: ManagedProcessOptions,
  untilReady: () => Promise<unknown>,
): Promise<ClusterNode> {
  const { command, logFile } = options;
  async function start() {
    const started = await startProcess({ ...options, appendLog: true });
    await whenReady(started, startTimeoutMs, untilReady).catch((error: unknown) => {
      throw new Error(`${command} did not start (${reasonOf(error)}); its log is ${logFile}`);
    });
    return started;
  }

  let current = await start();
  const stop = () => current.stop(graceMs);
  return {
    get pid() {
      return current.pid;
    },
    stop,
    async restart() {
      await stop();
      current = await start();
    },
  };
}
