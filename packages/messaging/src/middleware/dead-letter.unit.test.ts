import { expect, test } from 'vitest';
import { deadLetterHeaders, readDeadLetter, readReturns, readTries, triesHeaders } from './dead-letter.ts';

const now = new Date('2026-05-01T12:00:00.000Z');
const later = new Date('2026-05-01T12:05:00.000Z');

test('a message without headers is at its first try', () => {
  expect(readTries({}, now)).toEqual({ attempts: 0, firstSeen: now.toISOString(), returns: 0 });
  expect(readReturns({})).toBe(0);
});

test('the returns are read from RabbitMQ 3.10 to 4.2, and from 4.3, which counts refusals apart', () => {
  expect(readReturns({ 'x-delivery-count': 3 })).toBe(3);
  expect(readReturns({ 'x-delivery-count': 1, 'x-acquired-count': 4 })).toBe(4);
});

test('the tries are the same after their way through headers', () => {
  const tries = { attempts: 2, firstSeen: now.toISOString(), returns: 7 };
  expect(readTries(triesHeaders(tries), later)).toEqual(tries);
});

test('a dead letter says where, why and when', () => {
  const headers = deadLetterHeaders(
    { attempts: 5, firstSeen: now.toISOString(), returns: 0 },
    'a.on-b',
    'x'.repeat(5_000),
    later,
  );
  expect(readDeadLetter('junk', headers, 3)).toEqual({
    position: 3,
    queue: 'a.on-b',
    reason: 'x'.repeat(1_000),
    attempts: 5,
    firstSeen: now.toISOString(),
    diedAt: later.toISOString(),
    event: { unreadable: 'junk' },
  });
});

test('of a dead letter that another program made, what can be read is read', () => {
  expect(readDeadLetter('junk', {}, 1)).toMatchObject({ queue: '', attempts: 0, event: { unreadable: 'junk' } });
});
