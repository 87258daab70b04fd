import type { Logger } from 'pino';
import { judge, nothingSeen } from './domain/watch.ts';
import type { Memory } from './domain/watch.ts';
import type { Probe } from './probe.ts';
import type { History } from './store/history.ts';

export interface Prober {
  /** Ends after the look under way. */
  stop(): Promise<void>;
}

// So many looks that are missed in a row are time in which nobody watched.
const looksOfAGap = 4;

/** Looks at each service every `intervalMs` and records when one is not ready. */
export function startProber(options: {
  probes: Readonly<Record<string, Probe>>;
  history: History;
  intervalMs: number;
  now: () => Date;
  logger: Logger;
}): Prober {
  const { history, intervalMs, now, logger } = options;
  const memories = new Map<string, Memory>();
  let underWay: Promise<unknown> | null = null;

  async function look(service: string, probe: Probe): Promise<void> {
    const { reason } = await probe();
    const at = now();
    const { memory, verdict } = judge(memories.get(service) ?? nothingSeen, reason, at);
    memories.set(service, memory);
    try {
      await history.looked(service, at, looksOfAGap * intervalMs);
      if (verdict.kind === 'down' && (await history.open(service, verdict.since, verdict.reason)))
        logger.warn({ service, reason: verdict.reason }, 'an incident began');
      if (verdict.kind === 'up' && (await history.close(service, at))) logger.warn({ service }, 'an incident ended');
    } catch (error) {
      // Its own database is away as well: the next look records what still holds then.
      logger.warn({ err: error, service }, 'what was seen could not be recorded');
    }
  }

  const timer = setInterval(() => {
    underWay ??= Promise.all(Object.entries(options.probes).map(([service, probe]) => look(service, probe))).finally(
      () => (underWay = null),
    );
  }, intervalMs);

  return {
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}
