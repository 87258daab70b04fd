import { expect, it } from 'vitest';
import { showDeadLetter } from './dead-letters.ts';

it('shows a message that can not be read, and times that are missing or wrong', () => {
  const letter = {
    position: 1,
    queue: 'account.on-order-placed',
    reason: 'it is not an event',
    attempts: 1,
    firstSeen: 'yesterday',
    diedAt: '',
    event: { unreadable: 'a secret' },
  };
  expect(showDeadLetter(letter)).toEqual({
    position: 1,
    queue: 'account.on-order-placed',
    reason: 'it is not an event',
    attempts: 1,
    firstSeenAt: null,
    deadSince: null,
    event: null,
  });
});
