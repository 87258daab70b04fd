import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import { recordLook } from '../commands/record-look.ts';
import type { Memory } from '../domain/watch.ts';
import type { Probe } from '../probes/probe.ts';
import type { History } from '../store/history.ts';

interface Job {
  /** Ends after the look under way. */
  stop(): Promise<void>;
}

// After so many missed looks in a row the time between counts as not watched.
const missedLooks = 4;

/**
 * Looks at each service every `intervalMs`, and records when one is not ready. The looks are spread evenly over that time: all at
 * once they make every process and the databases work at the same moment, and the requests of that moment wait.
 */
export function watchServices(options: {
  probes: Readonly<Record<string, Probe>>;
  history: History;
  intervalMs: number;
  now: () => Date;
  logger: Pick<Logger, 'warn'>;
}): Job {
  const { probes, intervalMs } = options;
  const gapMs = missedLooks * intervalMs;
  const memories = new Map<string, Memory>();

  async function look(service: string, probe: Probe): Promise<void> {
    memories.set(service, await recordLook(options, { service, probe, gapMs, memory: memories.get(service) }));
  }

  const services = Object.entries(probes);
  const jobs = services.map(([service, probe], place) =>
    repeatEvery(intervalMs, () => look(service, probe), {
      logger: options.logger,
      failure: `looking at ${service} failed`,
      firstAfterMs: (intervalMs * (place + 1)) / services.length,
    }),
  );
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
