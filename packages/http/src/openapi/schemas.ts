import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** JSON Schemas by key, and those that they refer to as `#/components/schemas/…`, by name. */
export interface JsonSchemas {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly named: Readonly<Record<string, JsonSchema>>;
}

type Json = z.core.JSONSchema.BaseSchema;

/**
 * The JSON Schema (2020-12) of each zod schema: of what a client may send (`input`), or of what it gets (`output`). A
 * schema with `.meta({ id })` is in `named` once, wherever it is used.
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

// zod drops both from the input of what it transforms, since they may be outputs. Ours are written as inputs.
function keepExamplesAndDefault(schema: z.core.$ZodType, json: Json): void {
  const { examples } = z.globalRegistry.get(schema) ?? {};
  if (Array.isArray(examples) && json.$ref === undefined) json.examples = examples;
  if (schema instanceof z.ZodDefault) json.default = schema.def.defaultValue;
}

// A later version may answer more fields. Only a strict object excludes that.
function allowMoreFields(schema: z.core.$ZodType, json: Json): void {
  if (schema instanceof z.ZodObject && schema.def.catchall === undefined) delete json.additionalProperties;
}

// The bounds of all integers that JavaScript can represent, and the long pattern that `date-time` stands for.
function removeNoise(json: Json): void {
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.format === 'date-time') delete json.pattern;
}
