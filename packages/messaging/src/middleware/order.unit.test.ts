import { expect, test } from 'vitest';
import { createLanes } from './order.ts';

test('a lane runs one task at a time, in order; another lane does not wait', async () => {
  const inLane = createLanes();
  const log: string[] = [];
  const first = Promise.withResolvers<void>();
  const done = [
    inLane('a', async () => {
      await first.promise;
      log.push('a1');
    }),
    inLane('a', async () => {
      log.push('a2');
    }),
    inLane('b', async () => {
      log.push('b1');
      first.resolve();
    }),
  ];
  await Promise.all(done);
  expect(log).toEqual(['b1', 'a1', 'a2']);
});
