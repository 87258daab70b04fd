import { operations, type OperationSpec } from '@storefront/contracts';
import type { System } from '../system/system.ts';
import { accountRows } from './account.ts';
import { billingRows } from './billing.ts';
import { catalogRows } from './catalog.ts';
import { engagementRows } from './engagement.ts';
import { gatewayRows, healthRows } from './health.ts';
import { identityRows } from './identity.ts';
import { ordersRows } from './orders.ts';
import type { PathValues, Row, RowsOf } from './row.ts';

/** The rows of each service and of the gateway. A new service adds its file here: tsc fails otherwise. */
const rowsOfServices: { readonly [Name in keyof typeof operations]: RowsOf<(typeof operations)[Name]> } = {
  gateway: gatewayRows,
  identity: identityRows,
  account: accountRows,
  catalog: catalogRows,
  engagement: engagementRows,
  billing: billingRows,
  orders: ordersRows,
  health: healthRows,
};

/** A row for each operation of the API. */
export const rows: Readonly<Record<string, Row>> = Object.fromEntries(
  Object.values(rowsOfServices).flatMap((ofService) => Object.entries<Row>(ofService)),
);

/**
 * An operation of the API, and the schema of its JSON body as `/openapi.json` has it, references resolved at its top.
 * One that takes the bytes of a body has none: it names no fields.
 */
export interface Operation {
  readonly spec: OperationSpec;
  readonly bodySchema: JsonSchema | undefined;
}

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly maxLength?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

interface Document {
  readonly paths: Record<
    string,
    Record<string, { operationId: string; requestBody?: { content: Record<string, { schema: JsonSchema }> } }>
  >;
  readonly components: { readonly schemas: Record<string, JsonSchema> };
}

/** Every operation of the API that the running system publishes. */
export async function readOperations(system: System): Promise<Operation[]> {
  const document = (await system.call('GET', '/openapi.json')).body as Document;
  const resolve = (schema: JsonSchema | undefined): JsonSchema | undefined =>
    schema?.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1) ?? '']) : schema;
  const resolved = (schema: JsonSchema | undefined) => {
    const found = resolve(schema);
    const properties = Object.entries(found?.properties ?? {}).map(([name, property]) => [name, resolve(property)]);
    return found && { ...found, properties: Object.fromEntries(properties) as Record<string, JsonSchema> };
  };
  const specs = Object.values(operations).flatMap((ofService): OperationSpec[] => Object.values(ofService));
  return Object.values(document.paths).flatMap((item) =>
    Object.values(item).map(({ operationId, requestBody }) => {
      const spec = specs.find(({ id }) => id === operationId);
      if (!spec) throw new Error(`/openapi.json has ${operationId}, which no service declares`);
      const schema = spec.rawBody ? undefined : requestBody?.content['application/json']?.schema;
      return { spec, bodySchema: resolved(schema) };
    }),
  );
}

/** The path with its parameters filled in, as far as there are values. */
export function fill(path: string, values: PathValues | undefined, query?: string): string {
  const left = values === undefined ? [] : [values].flat();
  const filled = path.replaceAll(/\{\w+\}/g, (parameter) => left.shift() ?? parameter);
  return query === undefined ? filled : `${filled}?${query}`;
}
