import { eventually, memoryLogger } from '@storefront/testing';
import { afterEach, expect, it } from 'vitest';
import { countFacts } from '../src/analytics/jobs/count-facts.ts';

let job: { stop(): Promise<void> };
afterEach(() => job.stop());

it('facts are not counted while the load is high, not between batches either, but as soon as it is over', async () => {
  const seen: string[] = [];
  const rushes = [true, false, true, false];
  const batches = ['full', 'part'];
  job = countFacts({
    counting: {
      job: 'count-facts',
      async countBatch(limit) {
        const batch = batches.shift() ?? 'none';
        seen.push(batch);
        return batch === 'full' ? limit : 0;
      },
    },
    jobHolders: { take: async () => true },
    intakeLoad: {
      isHigh() {
        const isHigh = rushes.shift() ?? true;
        seen.push(isHigh ? 'rush' : 'calm');
        return isHigh;
      },
    },
    logger: memoryLogger().logger,
  });
  await eventually(() => seen.includes('part'), 'the rest to be counted');
  expect(seen.slice(0, 6)).toEqual(['rush', 'calm', 'full', 'rush', 'calm', 'part']);
});
