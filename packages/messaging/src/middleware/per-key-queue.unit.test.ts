import { expect, test } from 'vitest';
import { createPerKeyQueue } from './per-key-queue.ts';

test('tasks of one key run one at a time, in order; those of another key do not wait', async () => {
  const enqueue = createPerKeyQueue();
  const log: string[] = [];
  const first = Promise.withResolvers<void>();
  const done = [
    enqueue('a', async () => {
      await first.promise;
      log.push('a1');
    }),
    enqueue('a', async () => {
      log.push('a2');
    }),
    enqueue('b', async () => {
      log.push('b1');
      first.resolve();
    }),
  ];
  await Promise.all(done);
  expect(log).toEqual(['b1', 'a1', 'a2']);
});
