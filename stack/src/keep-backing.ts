import type { Backing } from '@storefront/backing';
import { createBackOff } from './back-off.ts';
import { restart } from './restart.ts';

type ServerName = 'mongodb' | 'rabbitmq';

/** Starts MongoDB and RabbitMQ again when they end by themselves, if this program started them. */
export function keepBackingRunning(options: {
  /** Receives the pid of each new process, and undefined when it has ended. */
  onPid: (name: ServerName, pid: number | undefined) => void;
  say: (line: string) => void;
}): {
  /** Must be called when one of them ends. */
  onExit(name: ServerName, how: string): void;
  /** Sets the servers. Before this, an end is an error of their start and is ignored here. */
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
      // A server that ends during its restart is tried again by that restart.
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
