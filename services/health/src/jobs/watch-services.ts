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
// So many times as often a service is looked at after a look that failed.
const quickLooks = 3;

/**
 * Looks at each service every `intervalMs`, or three times as often while it is not ready, and records when a service
 * is not ready. The looks are spread evenly over the interval. If they all came at once, every process and database
 * would be busy at the same moment, and requests would have to wait.
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

  function lookerOf(service: string, probe: Probe): () => Promise<void> {
    let turn = 0;
    let memory: Memory | undefined;
    return async () => {
      const isRegular = turn % quickLooks === 0;
      turn += 1;
      if (isRegular || memory?.failingSince) memory = await recordLook(options, { service, probe, gapMs, memory });
    };
  }

  const services = Object.entries(probes);
  const jobs = services.map(([service, probe], place) =>
    repeatEvery(intervalMs / quickLooks, lookerOf(service, probe), {
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
