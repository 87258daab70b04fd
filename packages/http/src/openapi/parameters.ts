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
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}
