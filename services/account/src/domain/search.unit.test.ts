import { searchWords } from '@storefront/contracts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryTokens, searchTokens } from './search.ts';

const found = (query: string, person: Parameters<typeof searchTokens>[0]) => {
  const tokens = searchTokens(person);
  return queryTokens(query).every((requested) => tokens.some((token) => token.startsWith(requested)));
};
const anything = fc.array(fc.nat(0x10ffff)).map((points) => String.fromCodePoint(...points));
const soren = { firstName: 'Søren', lastName: "O'Brien-Müller", email: 'soren@example.com', phone: '+31201234567' };

describe('a search', () => {
  it.each(['soren', 'SØR', 'brien', 'muller', 'mul sor', 'soren@exam', '+31 20 123', '020-123', '31 20'])(
    'for %s finds the recipient',
    (query) => expect(found(query, soren)).toBe(true),
  );

  it.each(['ada', 'oren', '4567', 'soren ada'])('for %s does not', (query) => expect(found(query, soren)).toBe(false));

  it.each([
    ['isil', 'IŞIL'],
    ['IŞIL', 'ışıl'],
    ['οδυσσευσ', 'Οδυσσεύς'],
    ['हिन्', 'हिन्दी'],
  ])('for %s finds %s', (query, firstName) => {
    expect(found(query, { firstName, lastName: '', email: null, phone: null })).toBe(true);
  });

  it('is by letters and digits alone, whatever is typed', () => {
    fc.assert(
      fc.property(anything, (typed) => {
        for (const token of queryTokens(typed)) expect(token).toMatch(/^[\p{L}\p{M}\p{N}]+$/u);
      }),
    );
    expect(queryTokens('.* $ne {"$gt":""}')).toEqual(['ne', 'gt']);
  });

  it('finds everybody by any beginning of a name', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), (name, cut) => {
        for (const word of searchWords(name)) {
          const letters = Array.from(word);
          const beginning = letters.slice(0, 1 + (cut % letters.length)).join('');
          expect(searchTokens({ firstName: name, lastName: '', email: null, phone: null })).toContainEqual(
            expect.stringMatching(new RegExp(`^${beginning}`, 'u')),
          );
        }
      }),
    );
  });
});
