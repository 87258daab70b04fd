import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** JSON Schemas by key. `named` has the schemas to which they refer as `#/components/schemas/…`, by name. */
export interface JsonSchemas {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly named: Readonly<Record<string, JsonSchema>>;
}

type Json = z.core.JSONSchema.BaseSchema;

/**
 * Converts each zod schema to a JSON Schema (2020-12): of the data that a client may send (`input`), or that a client
 * gets (`output`). A schema with `.meta({ id })` is in `named` once, even if it is used several times.
 */
export function toJsonSchemas(schemas: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output'): JsonSchemas {
  const { properties = {}, $defs = {} } = z.toJSONSchema(z.object(schemas), {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (io === 'input') keepExamplesAndDefault(zodSchema, jsonSchema);
      else allowMoreFields(zodSchema, jsonSchema);
      removeNoise(jsonSchema);
    },
  });
  const text = JSON.stringify({ schemas: properties, named: $defs });
  return JSON.parse(text.replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/')) as JsonSchemas;
}

/**
 * Says the defaults of fields in words instead of `default`: generators of clients take a field with a default for one that
 * is always there, and would require it in requests.
 */
export function withDefaultsInWords({ default: value, ...schema }: JsonSchema): JsonSchema {
  const changed = Object.fromEntries(
    Object.entries(schema).map(([keyword, held]) => [keyword, inSchemas(keyword, held)]),
  );
  if (value === undefined) return changed;
  const sentence = `By default \`${JSON.stringify(value)}\`.`;
  const { description } = schema;
  return { ...changed, description: typeof description === 'string' ? `${description} ${sentence}` : sentence };
}

/** Changes the schemas that a keyword holds: one, a list, or one for each property. */
function inSchemas(keyword: string, held: unknown): unknown {
  const one = (inner: unknown) =>
    typeof inner === 'object' && inner !== null ? withDefaultsInWords(inner as JsonSchema) : inner;
  if (keyword === 'items' || keyword === 'additionalProperties' || keyword === 'not') return one(held);
  if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf') return (held as unknown[]).map(one);
  if (keyword === 'properties')
    return Object.fromEntries(Object.entries(held as JsonSchema).map(([name, inner]) => [name, one(inner)]));
  return held;
}

// zod leaves out examples and defaults of transformed values, because they may be outputs. Ours are always inputs, so
// they are added again.
function keepExamplesAndDefault(schema: z.core.$ZodType, json: Json): void {
  const { examples } = z.globalRegistry.get(schema) ?? {};
  if (Array.isArray(examples) && json.$ref === undefined) json.examples = examples;
  if (schema instanceof z.ZodDefault) json.default = schema.def.defaultValue;
}

// A later version may answer more fields, so they are allowed unless the schema is a strict object.
function allowMoreFields(schema: z.core.$ZodType, json: Json): void {
  if (schema instanceof z.ZodObject && schema.def.catchall === undefined) delete json.additionalProperties;
}

// Removes the limits of JavaScript's safe integers, and the long pattern that zod adds to `date-time`.
function removeNoise(json: Json): void {
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.format === 'date-time') delete json.pattern;
}
