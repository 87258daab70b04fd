import type { Backing } from '@storefront/backing';
import { createBackOff } from './back-off.ts';
import { restart } from './restart.ts';

type ServerName = 'mongodb' | 'rabbitmq';

/** Restarts MongoDB and RabbitMQ when they end unexpectedly, if this program started them. */
export function keepBackingRunning(options: {
  /** Receives the pid of each new process. Receives undefined when a process has ended. */
  onPid: (name: ServerName, pid: number | undefined) => void;
  say: (line: string) => void;
}): {
  /** Must be called when one of the servers ends. */
  onExit(name: ServerName, how: string): void;
  /**
   * Must be called with the started servers. Before this call, `onExit` does nothing, because the start itself then
   * fails with an error.
   */
  keep(backing: Backing): void;
  stop(): void;
} {
  const { onPid, say } = options;
  const backOffs = { mongodb: createBackOff(), rabbitmq: createBackOff() };
  const restarting = new Set<ServerName>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let backing: Backing | undefined;

  const serverOf = (name: ServerName) => (name === 'mongodb' ? backing?.mongodb : backing?.broker);
  const reportPid = (name: ServerName) => onPid(name, serverOf(name)?.pid);

  return {
    onExit(name, how) {
      // When a server ends during its restart, that restart tries again.
      if (!backing || signal.aborted || restarting.has(name)) return;
      onPid(name, undefined);
      say(`${name} ended (${how}); starting it again.`);
      restarting.add(name);
      void restart(name, async () => serverOf(name)?.restart?.(), { backOff: backOffs[name], signal, say })
        .then(() => signal.aborted || reportPid(name))
        .finally(() => restarting.delete(name));
    },
    keep(started) {
      backing = started;
      reportPid('mongodb');
      reportPid('rabbitmq');
    },
    stop() {
      stopping.abort();
    },
  };
}
