import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { codeRules, maySendAgain, withinHour } from './code.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21) + seconds * 1000);

it.each([
  [[0], 59, false],
  [[0], 60, true],
  [[0, 60, 120, 180, 240], 3599, false],
  [[0, 60, 120, 180, 240], 3600, true],
  [[], 0, true],
])('codes that were sent at %j s: another one at %i s is %s', (sent, now, expected) => {
  expect(maySendAgain(sent.map(at), at(now))).toBe(expected);
});

it('allows five codes an hour at most, whenever they are requested', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 60 }), (pauses) => {
      const sent: Date[] = [];
      let now = 0;
      for (const pause of pauses) {
        now += pause;
        if (maySendAgain(sent, at(now))) sent.push(at(now));
        expect(withinHour(sent, at(now)).length).toBeLessThanOrEqual(codeRules.sentPerHour);
      }
    }),
  );
});
