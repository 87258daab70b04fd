import { takesIfMatch, takesIfNoneMatch, type OperationSpec } from '@storefront/contracts';
import type { Components } from './components.ts';
import { requestHeaders } from './headers.ts';
import type { JsonSchema } from './schemas.ts';

const places = [
  ['params', 'path'],
  ['query', 'query'],
  ['headers', 'header'],
] as const;

/**
 * Returns the parameters of an operation: its own, with schemas from `schemaOf`, then headers that follow from its
 * properties.
 */
export function parametersOf(
  operation: OperationSpec,
  schemaOf: (part: 'params' | 'query' | 'headers') => JsonSchema | undefined,
  components: Components,
): object[] {
  const own = places.flatMap(([part, place]) => fieldsOf(schemaOf(part)).map((field) => ({ in: place, ...field })));
  const common = [
    ...(operation.idempotent ? (['IdempotencyKey'] as const) : []),
    ...(takesIfMatch(operation) ? (['IfMatch'] as const) : []),
    ...(takesIfNoneMatch(operation) ? (['IfNoneMatch'] as const) : []),
    'RequestId' as const,
  ];
  return [...own, ...common.map((name) => components.add('parameters', name, requestHeaders[name]))];
}

function fieldsOf(schema: JsonSchema = {}): object[] {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
    additionalProperties?: JsonSchema | boolean;
  };
  const fields = Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
  return typeof additionalProperties === 'object' ? [...fields, fieldsByPattern(additionalProperties)] : fields;
}

/** Fields of a query that share a pattern of names: an object of which each property is a field of its own. */
function fieldsByPattern(schema: JsonSchema): object {
  const {
    description,
    fields,
    examples: _examples,
    ...value
  } = schema as JsonSchema & {
    readonly fields: { readonly name: string; readonly pattern: string; readonly most: number };
  };
  return {
    name: fields.name,
    required: false,
    ...(description === undefined ? {} : { description }),
    style: 'form',
    explode: true,
    schema: {
      type: 'object',
      propertyNames: { pattern: fields.pattern },
      additionalProperties: value,
      maxProperties: fields.most,
    },
  };
}
