import { api, operations, type OperationSpec } from '@storefront/contracts';
import { openApiDocument } from '@storefront/http';
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

/** Fields of answers whose values pages show as words. */
const shown = new Set([
  'status',
  'paymentStatus',
  'fulfilmentStatus',
  'attention',
  'outcome',
  'category',
  'role',
  'segment',
  'trigger',
  'holdReason',
  'unallocatedReason',
  'taxClass',
  'taxTreatment',
  'action',
]);
const neverShown = new Set(['ok', 'verification-required']);

/** The values that fields of this name can have, by the schema. */
function valuesOf(schema: unknown, field = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const values: unknown = 'enum' in schema && shown.has(field) ? schema.enum : [];
  return [
    ...(Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []),
    ...Object.entries(schema).flatMap(([name, part]: [string, unknown]) =>
      name === 'properties' && typeof part === 'object' && part !== null
        ? Object.entries(part).flatMap(([property, of]) => valuesOf(of, property))
        : valuesOf(part, field),
    ),
  ];
}

it('has a German word for each value that an answer can have where pages show it', () => {
  const specs = Object.values(operations).flatMap((group) => Object.values<OperationSpec>(group));
  const values = new Set(valuesOf(openApiDocument(specs, { ...api, version: '0.0.0' }).components.schemas));
  expect(values.size).toBeGreaterThan(60);
  expect([...values].filter((value) => !(value in de.values) && !neverShown.has(value))).toEqual([]);
});
