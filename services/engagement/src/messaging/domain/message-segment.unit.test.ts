import { expect, it } from 'vitest';
import { messageSegmentOf } from './message-segment.ts';

it.each([
  [{ role: 'retail', segment: 'retail' }, 'retail'],
  [{ role: 'trade', segment: 'none' }, 'trade'],
  [{ role: 'admin', segment: 'none' }, undefined],
  [{ segment: 'trade' }, 'trade'],
  [{ segment: 'none' }, undefined],
  [{}, undefined],
] as const)('messages to a user of whom %j is known are of %s', (known, segment) => {
  expect(messageSegmentOf(known)).toBe(segment);
});
