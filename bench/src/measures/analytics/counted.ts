import { setTimeout as wait } from 'node:timers/promises';
import type { BenchContext } from '../../context.ts';
import type { StackProcess } from '../../system/stack-process.ts';

const pollMs = 100;

/** Waits until engagement has counted every fact that it has stored, so many milliseconds at most. */
export async function untilCounted(
  context: BenchContext,
  { database }: Pick<StackProcess, 'database'>,
  withinMs = 120_000,
): Promise<void> {
  const facts = (await context.database('engagement', database)).collection('facts');
  const deadline = performance.now() + withinMs;
  while ((await facts.findOne({ pending: true }, { projection: { _id: 1 } })) !== null) {
    if (performance.now() > deadline) throw new Error('not all facts were counted in time');
    await wait(pollMs);
  }
}
