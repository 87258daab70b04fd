import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import { recordLook } from '../commands/record-look.ts';
import type { Memory } from '../domain/watch.ts';
import type { Probe } from '../probes/probe.ts';
import type { History } from '../store/history.ts';

interface Job {
  /** Ends after the current look. */
  stop(): Promise<void>;
}

// When this many looks in a row are missed, the time between counts as not watched.
const missedLooks = 4;

/**
 * Looks at each service every `intervalMs`, and records when a service is not ready. The looks are spread evenly over
 * the interval. If they all came at once, every process and database would be busy at the same moment, and requests
 * would have to wait.
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
