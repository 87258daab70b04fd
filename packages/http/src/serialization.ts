import { http, idPatterns } from '@storefront/contracts';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/** Strings that match one of these patterns contain no characters that JSON escapes. */
const plainPatterns: ReadonlySet<string> = new Set([...idPatterns, http.currencyPattern.source]);

/**
 * Writes answers by their schema: a field that the schema does not name never leaves the service. The writer is
 * compiled once for each route, which is several times faster than parsing every answer with zod; and at its first
 * answer, because those of all routes take a second and 28 MB, and most routes of a process are seldom called.
 */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = ({ schema }) => {
  let write: ReturnType<typeof writerOf> | undefined;
  return (value) => (write ??= writerOf(schema))(value);
};

/** Creates a function that writes values by this schema as answers are written. */
export function writerOf<Schema extends z.ZodType>(schema: Schema): (value: z.output<Schema>) => string {
  const described = z.toJSONSchema(schema, { target: 'draft-7', io: 'output', unrepresentable: 'any' });
  // The branches of a union are told apart by Ajv, which does not know the writer's own format.
  const stringify = fastJsonStringify(forWriting(described, typesOf(described)) as object, {
    ajv: { formats: { unsafe: true } },
  });
  return (value) => stringify(value as object);
}

// Keywords that are only for validation are removed. `X or null` becomes a nullable X, because otherwise each value
// would be validated against both branches. Ids and currencies are written without looking for characters to escape:
// that search took half the time of an answer with hundreds of them.
function forWriting(schema: unknown, types: ReadonlyMap<unknown, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((each) => forWriting(each, types));
  if (schema === null || typeof schema !== 'object') return schema;
  const {
    format: _format,
    pattern,
    examples: _examples,
    description: _description,
    id: _id,
    $schema: _schema,
    default: _default,
    ...kept
  } = schema as JsonSchema;
  // A field that the schema does not name is left out anyway; here it would make a branch of a union unfit.
  if (kept.additionalProperties === false) delete kept.additionalProperties;
  if (typeof pattern === 'string' && plainPatterns.has(pattern)) kept.format = 'unsafe';
  if (Array.isArray(kept.anyOf) && kept.anyOf.length === 2) {
    const branches = kept.anyOf as JsonSchema[];
    const isNull = (branch: JsonSchema) => branch.type === 'null';
    const value = branches.find((branch) => !isNull(branch));
    if (value && branches.some(isNull)) {
      const written = forWriting(value, types) as JsonSchema;
      // For Ajv, which tells the branches of a union apart, null is none of the values where it is not listed.
      const listed = Array.isArray(written.enum) ? { enum: [...(written.enum as unknown[]), null] } : {};
      // Ajv also wants a type beside `nullable`, which a schema with a name has elsewhere.
      const named = types.has(written.$ref) ? { type: types.get(written.$ref) } : {};
      return { ...written, ...listed, ...named, nullable: true };
    }
  }
  return Object.fromEntries(
    Object.entries(kept).map(([key, value]) => {
      // The names of properties are not keywords, so only their schemas are changed.
      if (key === 'properties' || key === 'definitions' || key === '$defs') {
        return [
          key,
          Object.fromEntries(
            Object.entries(value as JsonSchema).map(([name, inner]) => [name, forWriting(inner, types)]),
          ),
        ];
      }
      return [key, key === 'enum' || key === 'const' || key === 'required' ? value : forWriting(value, types)];
    }),
  );
}

/** The types of the schemas with a name, by the references to them. */
function typesOf({ definitions = {} }: JsonSchema): ReadonlyMap<unknown, unknown> {
  const named = Object.entries(definitions as Record<string, JsonSchema>).filter(([, { type }]) => type !== undefined);
  return new Map(named.map(([name, { type }]) => [`#/definitions/${name}`, type]));
}
