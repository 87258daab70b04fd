import type { ManagedProcess } from '@storefront/backing';
import { createBackOff } from './back-off.ts';
import { restart } from './restart.ts';

/** Runs a process and restarts it whenever it ends, until `close` is called. Rejects where the first start fails. */
export async function supervise(options: {
  name: string;
  start: () => Promise<Pick<ManagedProcess, 'pid' | 'ended' | 'stop'>>;
  /** Receives the pid of each new process. Receives undefined when the process has ended. */
  onPid: (pid: number | undefined) => void;
  say: (line: string) => void;
}): Promise<{ close(): Promise<void> }> {
  const { name, start, onPid, say } = options;
  const backOff = createBackOff();
  const closing = new AbortController();
  const { signal } = closing;

  backOff.started();
  let current = await start();
  onPid(current.pid);
  const watching = (async () => {
    for (;;) {
      const how = await current.ended;
      onPid(undefined);
      if (signal.aborted) return;
      say(`${name} ended (${how}); starting it again.`);
      const restarted = await restart(name, start, { backOff, signal, say });
      if (!restarted) return;
      current = restarted;
      onPid(current.pid);
      // `close` was called during the restart. It stopped only the previous process, so the new one is stopped here.
      if (signal.aborted) await current.stop();
    }
  })();

  return {
    async close() {
      closing.abort();
      await current.stop();
      await watching;
    },
  };
}
