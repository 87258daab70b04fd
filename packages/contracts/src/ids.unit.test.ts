import { TypeID } from 'typeid-js';
import { expect, test } from 'vitest';
import { idFromUuid, idPrefixes, isId, newId, type IdPrefix } from './ids.ts';

const prefixes = Object.keys(idPrefixes) as IdPrefix[];

/** What the library that makes the ids says of a text. */
function isDecoded(prefix: IdPrefix, text: string): boolean {
  try {
    return TypeID.fromString(text).getType() === prefix;
  } catch {
    return false;
  }
}

test('an id is of its own kind only', () => {
  for (const prefix of prefixes) expect(prefixes.filter((other) => isId(other, newId(prefix)))).toEqual([prefix]);
});

test('a text is an id exactly where it can be decoded', () => {
  const id = newId('prod');
  const everyCharacter = Array.from({ length: 128 }, (_, code) => String.fromCodePoint(code));
  const texts = [
    id,
    idFromUuid('prod', '00000000-0000-0000-0000-000000000000'),
    idFromUuid('prod', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
    ...everyCharacter.map((character) => `prod_${character}${id.slice(6)}`),
    ...everyCharacter.map((character) => id.slice(0, -1) + character),
    ...everyCharacter.map((character) => id + character),
    '',
    'prod',
    'prod_',
    id.slice(5),
    id.slice(0, -1),
    id.toUpperCase(),
    `x${id}`,
    ` ${id}`,
    newId('cat'),
  ];
  const judged = (judge: typeof isId) => texts.filter((text) => judge('prod', text));
  expect(judged(isId)).toEqual(judged(isDecoded));
  expect(judged(isId)).toContain(id);
});
