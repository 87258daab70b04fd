import type { JobHolders } from '@storefront/mongo';
import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import type { IntakeLoad } from '../domain/facts/intake-load.ts';
import { adaptBatch, firstBatch } from '../domain/roll-ups/batch-size.ts';
import type { FactCounting } from '../store/roll-ups/count-batch.ts';

/** Reports have 5 s. To count the facts of a moment costs nearly as much as to count those of two seconds. */
const everyMs = 2000;

/**
 * Adds new facts to the roll-ups soon after they are stored. Only one instance counts at a time. Counting waits while
 * clients send very many events to this instance. `stop` waits for the current batch.
 */
export function countFacts({
  counting,
  jobHolders,
  intakeLoad,
  logger,
}: {
  readonly counting: FactCounting;
  readonly jobHolders: Pick<JobHolders, 'take'>;
  readonly intakeLoad: Pick<IntakeLoad, 'isHigh'>;
  readonly logger: Logger;
}): { stop(): Promise<void> } {
  let isStopped = false;
  let limit = firstBatch;

  async function countAll(): Promise<void> {
    while (!isStopped && !intakeLoad.isHigh()) {
      if (!(await jobHolders.take(counting.job))) return;
      const requested = limit;
      const counted = await countSome(requested);
      if (counted === null || counted < requested) return;
    }
  }

  async function countSome(requested: number): Promise<number | null> {
    const begun = performance.now();
    try {
      const counted = await counting.countBatch(requested);
      if (counted === requested) limit = adaptBatch(requested, performance.now() - begun);
      return counted;
    } catch (error) {
      limit = adaptBatch(requested, Infinity);
      throw error;
    }
  }

  const repeated = repeatEvery(everyMs, countAll, {
    logger,
    failure: 'facts were not counted; it is tried again',
  });
  return {
    async stop() {
      isStopped = true;
      await repeated.stop();
    },
  };
}
