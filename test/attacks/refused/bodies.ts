import type { JsonSchema } from '../matrix/operations.ts';

/** A field with a value, as JSON text, that it must not take. */
export interface Spoiled {
  readonly field: string;
  readonly value: string;
  readonly what: string;
}

/** What is written in JSON but is no character that a name or a mail may hold. */
export const spoiltText = [
  { what: 'a null byte', text: String.raw`quite long\u0000text` },
  { what: 'half a surrogate pair', text: String.raw`quite long\ud800text` },
  { what: 'the other half', text: String.raw`quite long\udc00text` },
];

/** Fields that somebody would like to set, with a value that they would like. */
export const forbiddenFields = [
  { field: 'role', value: '"admin"' },
  { field: 'status', value: '"approved"' },
  { field: 'ownerId', value: '"user_01h455vb4pex5vsknk084sn02q"' },
  { field: 'userId', value: '"user_01h455vb4pex5vsknk084sn02q"' },
  { field: 'id', value: '"user_01h455vb4pex5vsknk084sn02q"' },
  { field: '_id', value: '"x"' },
  { field: 'outbox', value: '[{"type":"identity.user-erased"}]' },
  { field: 'version', value: '999' },
  { field: 'tokenVersion', value: '0' },
  { field: 'passwordHash', value: '"x"' },
  { field: 'emailVerifiedAt', value: '"2026-11-21T09:30:00.000Z"' },
  { field: 'createdAt', value: '"2026-11-21T09:30:00.000Z"' },
  { field: 'trade', value: '{"businessName":"x"}' },
  { field: 'isAdmin', value: 'true' },
  { field: '$set', value: '{"role":"admin"}' },
  { field: 'a.b', value: '1' },
  { field: 'Email', value: '"a@example.com"' },
  { field: 'toString', value: '1' },
  { field: 'hasOwnProperty', value: '1' },
  { field: '', value: '1' },
];

/** JSON, 10,000 levels deep. */
export function deepJson(open: string, close: string): string {
  return `${open.repeat(10_000)}1${close.repeat(10_000)}`;
}

/** The body as JSON with one field in place of what it had; `value` is JSON text. */
export function withField(good: Record<string, unknown>, field: string, value: string): string {
  const others = Object.entries(good).filter(([name]) => name !== field);
  const written = others.map(([name, other]) => `${JSON.stringify(name)}:${JSON.stringify(other)}`);
  return `{${[...written, `${JSON.stringify(field)}:${value}`].join(',')}}`;
}

const ofEachType: readonly [type: string, value: string][] = [
  ['null', 'null'],
  ['boolean', 'true'],
  ['number', '1'],
  ['number', '-0'],
  ['number', '9007199254740993'],
  ['number', '1e308'],
  ['number', '1e999'],
  ['number', '-1e999'],
  ['array', '[]'],
  ['array', '["a"]'],
  ['array', '[[]]'],
  ['object', '{}'],
  ['object', '{"$ne":null}'],
  ['object', '{"$gt":""}'],
  ['object', '{"$regex":".*"}'],
  ['object', '{"$where":"sleep(1000)"}'],
  ['object', '{"length":5,"toString":"x"}'],
];

/** Every field of the schema with every value that is none of it. */
export function spoiledFields(schema: JsonSchema): Spoiled[] {
  const fields = Object.entries(schema.properties ?? {});
  const [first] = fields.map(([field]) => field);
  const deep = [deepJson('[', ']'), deepJson('{"a":', '}')].map((value) => ({
    field: first ?? '',
    value,
    what: 'depth',
  }));
  return [
    ...deep,
    ...fields.flatMap(([field, property]) => {
      const taken = typesOf(property);
      const wrong = ofEachType.filter(([type]) => !taken.has(type)).map(([, value]) => ({ field, value, what: value }));
      const texts = taken.has('string') ? spoiledStrings(field, longestOf(property)) : [];
      return [...wrong, ...texts, ...spoiledNumbers(field, taken)];
    }),
  ];
}

function spoiledStrings(field: string, longest: number): Spoiled[] {
  const long = longest > 20_000 ? 250_000 : 20_001;
  return [
    ...spoiltText.map(({ what, text }) => ({ field, value: `"${text}"`, what })),
    { field, value: `"${'a'.repeat(long)}"`, what: 'far too much text' },
    // Takes two bytes each, so that as many as the longest fields take can't be sent at all.
    ...(longest > 20_000 ? [] : [{ field, value: `"${'\u0301'.repeat(20_001)}"`, what: 'far too many accents' }]),
  ];
}

function longestOf({ maxLength, anyOf = [] }: JsonSchema): number {
  return Math.max(maxLength ?? 0, ...anyOf.map(longestOf));
}

function spoiledNumbers(field: string, taken: Set<string>): Spoiled[] {
  if (!taken.has('number')) return [];
  return ['1e308', '1e999', '-1e999', '9007199254740993', '1.5', '"1"'].map((value) => ({ field, value, what: value }));
}

/** The JSON types of which some value may be good. */
function typesOf(schema: JsonSchema): Set<string> {
  const branches = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
  if (branches.length > 0) return new Set(branches.flatMap((branch) => [...typesOf(branch)]));
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const types = schema.type === undefined ? values.map((value) => typeof value) : [schema.type].flat();
  return new Set(types.map((type) => (type === 'integer' ? 'number' : type)));
}
