import { setTimeout as wait } from 'node:timers/promises';
import { createBackOff } from './back-off.ts';

/** A process that was started. */
export interface StartedProcess {
  readonly pid: number;
  /** Settles with words such as "SIGKILL" when it has ended. */
  readonly ended: Promise<string>;
  /** Resolves once it has ended. */
  stop(): Promise<void>;
}

/** Runs a process, and again whenever it ends, until stopped. Rejects where its first start fails. */
export async function supervise(options: {
  name: string;
  start: () => Promise<StartedProcess>;
  /** Takes the pid of each new process, and undefined while there is none. */
  onPid: (pid: number | undefined) => void;
  say: (line: string) => void;
}): Promise<{ stop(): Promise<void> }> {
  const { name, onPid, say } = options;
  const backOff = createBackOff();
  const stopping = new AbortController();

  async function start(): Promise<StartedProcess> {
    backOff.started();
    const started = await options.start();
    onPid(started.pid);
    return started;
  }

  let current = await start();
  const watching = (async () => {
    for (;;) {
      const how = await current.ended;
      onPid(undefined);
      if (stopping.signal.aborted) return;
      say(`${name} ended (${how}); starting it again.`);
      let restarted: StartedProcess | undefined;
      while (!restarted) {
        await wait(backOff.next(), undefined, { signal: stopping.signal }).catch(() => undefined);
        if (stopping.signal.aborted) return;
        try {
          restarted = await start();
        } catch (error) {
          say(`${name} could not be started again: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
      current = restarted;
      // Stopped while it was being started.
      if (stopping.signal.aborted) await current.stop();
    }
  })();

  return {
    async stop() {
      stopping.abort();
      await current.stop();
      await watching;
    },
  };
}
