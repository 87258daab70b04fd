import { setTimeout as wait } from 'node:timers/promises';
import type { Backing } from '@storefront/backing';
import { createBackOff } from './back-off.ts';

/** Starts MongoDB and RabbitMQ again when they die, where it was this start that started them. */
export function keepBackingRunning(options: {
  /** Takes the pid of each new process, and undefined while there is none. */
  onPid: (name: 'mongodb' | 'rabbitmq', pid: number | undefined) => void;
  say: (line: string) => void;
}): {
  /** To be called when one of them ended. */
  onExit(name: 'mongodb' | 'rabbitmq', how: string): void;
  /** From here on there is something to start again. */
  keep(backing: Backing): void;
  stop(): void;
} {
  const { onPid, say } = options;
  const backOffs = { mongodb: createBackOff(), rabbitmq: createBackOff() };
  const startingAgain = new Set<'mongodb' | 'rabbitmq'>();
  let kept: Backing | undefined;

  function show(name: 'mongodb' | 'rabbitmq'): void {
    onPid(name, name === 'mongodb' ? kept?.mongodb.pid : kept?.broker.pid);
  }

  async function startAgain(name: 'mongodb' | 'rabbitmq'): Promise<void> {
    for (;;) {
      await wait(backOffs[name].next());
      const server = name === 'mongodb' ? kept?.mongodb : kept?.broker;
      if (!server?.restart) return;
      backOffs[name].started();
      try {
        await server.restart();
        if (kept) show(name);
        return;
      } catch (error) {
        if (!kept) return;
        say(`${name} could not be started again: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }

  return {
    onExit(name, how) {
      // One that dies again while it is being started is tried again there.
      if (!kept || startingAgain.has(name)) return;
      onPid(name, undefined);
      say(`${name} ended (${how}); starting it again.`);
      startingAgain.add(name);
      void startAgain(name).finally(() => startingAgain.delete(name));
    },
    keep(backing) {
      kept = backing;
      show('mongodb');
      show('rabbitmq');
    },
    stop() {
      kept = undefined;
    },
  };
}
