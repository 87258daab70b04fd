import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineCollection, byId, versioned } from '../src/index.ts';
import { mongooseSchemaOf } from '../src/mongoose-schema.ts';

interface SchemaType {
  readonly instance: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly schema?: { readonly paths: Readonly<Record<string, SchemaType>> };
  readonly getEmbeddedSchemaType: () => SchemaType | undefined;
}

/** Each field with its mongoose type and what the check of stored documents reads. */
function typesOf({ paths }: { readonly paths: unknown }): Record<string, unknown> {
  const fields = Object.entries(paths as Readonly<Record<string, SchemaType>>).filter(
    ([name]) => !name.endsWith('.$*'),
  );
  return Object.fromEntries(fields.map(([name, type]) => [name, describeType(type)]));
}

function describeType(type: SchemaType): unknown {
  const { instance, options, schema } = type;
  const marks = ['isInteger', 'isNullable', 'isOptional'].filter((mark) => options[mark]);
  const words = options['enum'] as readonly unknown[] | undefined;
  const name = [instance, ...marks, ...(words ?? [])].join(' ');
  const inner = schema ?? type.getEmbeddedSchemaType?.()?.schema;
  const element = schema ? undefined : type.getEmbeddedSchemaType?.();
  if (inner) return { [name]: typesOf(inner) };
  return element ? { [name]: describeType(element) } : name;
}

const schemaOf = (fields: Record<string, z.ZodType>) => typesOf(mongooseSchemaOf(fields));

describe('the mongoose schema of zod fields', () => {
  it.each<[string, z.ZodType, unknown]>([
    ['a text', z.string().min(1).max(3), 'String'],
    ['a text of a form', z.iso.date(), 'String'],
    ['a text made of parts', z.templateLiteral(['usr_', z.string()]), 'String'],
    ['a number', z.number().min(0), 'Number'],
    ['an integer', z.int(), 'Number isInteger'],
    ['a bounded integer', z.number().int().positive(), 'Number isInteger'],
    ['a boolean', z.boolean(), 'Boolean'],
    ['a time', z.date(), 'Date'],
    ['words', z.enum(['a', 'b']), 'String a b'],
    ['one word', z.literal('a'), 'String a'],
    ['numbers of a list', z.literal([1, 2]), 'Number 1 2'],
    ['what may be null', z.string().nullable(), 'String isNullable'],
    ['what may be missing', z.string().optional(), 'String isOptional'],
    ['what may be missing or null', z.date().nullable().optional(), 'Date isNullable isOptional'],
    ['what is read-only', z.array(z.int()).readonly(), { Array: 'Number isInteger' }],
    ['a list', z.array(z.string().nullable()), { Array: 'String isNullable' }],
    ['a list of objects', z.array(z.object({ id: z.string() })), { Array: { id: 'String' } }],
    ['an object', z.object({ a: z.int(), type: z.string() }), { Embedded: { a: 'Number isInteger', type: 'String' } }],
    ['a record', z.record(z.string(), z.array(z.int())), { Map: { Array: 'Number isInteger' } }],
    ['anything', z.unknown(), 'Mixed'],
    ['data of a class', z.instanceof(Uint8Array).nullable(), 'Mixed isNullable'],
    ['words of two lists', z.union([z.enum(['a', 'b']), z.literal('c')]), 'String a b c'],
    ['one of two types', z.union([z.string(), z.int()]), 'Mixed'],
    [
      'one of two objects',
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('percent'), value: z.number(), of: z.string() }),
        z.object({ kind: z.literal('amount'), value: z.number(), of: z.int(), currency: z.string() }),
      ]),
      { Embedded: { kind: 'String percent amount', value: 'Number', of: 'Mixed', currency: 'String isOptional' } },
    ],
  ])('has %s', (_name, field, expected) => {
    expect(schemaOf({ field })).toEqual({ field: expected });
  });

  it('can have no value that is transformed', () => {
    expect(() => schemaOf({ field: z.string().transform(Number) })).toThrow(
      "documents can't have a field of type pipe",
    );
  });
});

describe('a definition', () => {
  it('stores the id of a state as the id of the document', () => {
    const thing = z.object({ id: z.string(), lines: z.array(z.object({ id: z.string() })) });
    const { schema } = defineCollection('things', { ...versioned, ...thing.shape }, { sharding: byId });
    expect(typesOf(schema)).toEqual({ _id: 'String', version: 'Number isInteger', lines: { Array: { id: 'String' } } });
  });

  it('has both ids where the document has one of its own', () => {
    const { schema } = defineCollection('entries', { _id: z.string(), id: z.string() }, { sharding: byId });
    expect(Object.keys(typesOf(schema))).toEqual(['_id', 'id']);
  });
});
