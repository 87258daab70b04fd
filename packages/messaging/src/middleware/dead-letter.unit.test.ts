import { expect, test } from 'vitest';
import { letterHeaders, readLetter, readTrail, trailHeaders } from './dead-letter.ts';

const now = new Date('2026-05-01T12:00:00.000Z');
const later = new Date('2026-05-01T12:05:00.000Z');

test('a message without headers is at its first try', () => {
  expect(readTrail({}, now)).toEqual({ attempts: 0, firstSeen: now.toISOString() });
});

test('the trail survives its way through headers', () => {
  const trail = { attempts: 2, firstSeen: now.toISOString() };
  expect(readTrail(trailHeaders(trail), later)).toEqual(trail);
});

test('a letter tells where, why and when', () => {
  const headers = letterHeaders({ attempts: 5, firstSeen: now.toISOString() }, 'a.on-b', 'x'.repeat(5_000), later);
  expect(readLetter('junk', headers)).toEqual({
    queue: 'a.on-b',
    reason: 'x'.repeat(1_000),
    attempts: 5,
    firstSeen: now.toISOString(),
    diedAt: later.toISOString(),
    event: { unreadable: 'junk' },
  });
});

test('a letter that is none of ours is read as far as it goes', () => {
  expect(readLetter('junk', {})).toMatchObject({ queue: '', attempts: 0, event: { unreadable: 'junk' } });
});
