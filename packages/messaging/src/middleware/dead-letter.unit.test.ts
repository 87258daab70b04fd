import { expect, test } from 'vitest';
import { deadLetterHeaders, readDeadLetter, readTries, triesHeaders } from './dead-letter.ts';

const now = new Date('2026-05-01T12:00:00.000Z');
const later = new Date('2026-05-01T12:05:00.000Z');

test('a message without headers is at its first try', () => {
  expect(readTries({}, now)).toEqual({ attempts: 0, firstSeen: now.toISOString() });
});

test('the tries are the same after their way through headers', () => {
  const tries = { attempts: 2, firstSeen: now.toISOString() };
  expect(readTries(triesHeaders(tries), later)).toEqual(tries);
});

test('a dead letter says where, why and when', () => {
  const headers = deadLetterHeaders({ attempts: 5, firstSeen: now.toISOString() }, 'a.on-b', 'x'.repeat(5_000), later);
  expect(readDeadLetter('junk', headers)).toEqual({
    queue: 'a.on-b',
    reason: 'x'.repeat(1_000),
    attempts: 5,
    firstSeen: now.toISOString(),
    diedAt: later.toISOString(),
    event: { unreadable: 'junk' },
  });
});

test('of a dead letter that another program made, what can be read is read', () => {
  expect(readDeadLetter('junk', {})).toMatchObject({ queue: '', attempts: 0, event: { unreadable: 'junk' } });
});
