import type { JobHolders } from '@storefront/mongo';
import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import type { Rush } from '../domain/facts/rush.ts';
import { adaptBatch, firstBatch } from '../domain/roll-ups/batch-size.ts';
import type { FactCounting } from '../store/roll-ups/count-batch.ts';

const everyMs = 500;

/**
 * Adds facts to the roll-ups, on one instance at a time, as soon as they are there and clients of this instance are in no rush. `stop`
 * waits for the batch that is under way.
 */
export function countFacts({
  counting,
  jobHolders,
  rush,
  logger,
}: {
  readonly counting: FactCounting;
  readonly jobHolders: Pick<JobHolders, 'take'>;
  readonly rush: Pick<Rush, 'isOn'>;
  readonly logger: Logger;
}): { stop(): Promise<void> } {
  let isStopped = false;
  let limit = firstBatch;

  async function countAll(): Promise<void> {
    while (!isStopped && !rush.isOn() && (await jobHolders.take(counting.job))) {
      const asked = limit;
      const counted = await countSome(asked);
      if (counted === null || counted < asked) return;
    }
  }

  async function countSome(asked: number): Promise<number | null> {
    const begun = performance.now();
    try {
      const counted = await counting.countBatch(asked);
      if (counted === asked) limit = adaptBatch(asked, performance.now() - begun);
      return counted;
    } catch (error) {
      limit = adaptBatch(asked, Infinity);
      throw error;
    }
  }

  const repeated = repeatEvery(everyMs, countAll, { logger, failure: 'facts were not counted; it is tried again' });
  return {
    async stop() {
      isStopped = true;
      await repeated.stop();
    },
  };
}
