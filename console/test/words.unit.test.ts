import { expect, it } from 'vitest';
import { de } from '../src/language/de.ts';
import { en } from '../src/language/en.ts';

/** The names of all words, each with whether it is made of something. */
function namesOf(words: object, path = ''): string[] {
  return Object.entries(words).flatMap(([name, word]: [string, unknown]) =>
    typeof word === 'object' && word !== null ? namesOf(word, `${path}${name}.`) : [`${path}${name} ${typeof word}`],
  );
}

it('has every word in both languages', () => {
  const [german, english] = [namesOf(de), namesOf(en)];
  expect(english.filter((name) => !german.includes(name))).toEqual([]);
  // German names more values of the API, since those that are not named are shown as they are.
  expect(german.filter((name) => !english.includes(name) && !name.startsWith('values.'))).toEqual([]);
});
