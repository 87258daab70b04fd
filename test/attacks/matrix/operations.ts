import type { System } from '../system/system.ts';
import { accountRows } from './account.ts';
import { catalogRows } from './catalog.ts';
import { engagementRows } from './engagement.ts';
import { healthRows } from './health.ts';
import { identityRows } from './identity.ts';
import type { Rows } from './row.ts';

/** A row for each operation of the API. A new service adds its file here. */
export const rows: Rows = { ...identityRows, ...accountRows, ...catalogRows, ...engagementRows, ...healthRows };

/** An operation as the API's own document has it. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  /** With its one parameter, if any, in braces. */
  readonly path: string;
  /** Of the JSON body, references resolved at its top. */
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
    Record<string, { operationId?: string; requestBody?: { content: Record<string, { schema: JsonSchema }> } }>
  >;
  readonly components: { readonly schemas: Record<string, JsonSchema> };
}

/** Every operation that `/openapi.json` tells the world about. */
export async function readOperations(system: System): Promise<Operation[]> {
  const document = (await system.call('GET', '/openapi.json')).body as Document;
  const resolve = (schema: JsonSchema | undefined): JsonSchema | undefined =>
    schema?.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1) ?? '']) : schema;
  const resolved = (schema: JsonSchema | undefined) => {
    const found = resolve(schema);
    const properties = Object.entries(found?.properties ?? {}).map(([name, property]) => [name, resolve(property)]);
    return found && { ...found, properties: Object.fromEntries(properties) as Record<string, JsonSchema> };
  };
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      operationId: operation.operationId ?? `${method} ${path}`,
      method: method.toUpperCase(),
      path,
      bodySchema: resolved(operation.requestBody?.content['application/json']?.schema),
    })),
  );
}

/** The path with its parameter filled in. */
export function fill(path: string, value: string | undefined, query?: string): string {
  const filled = value === undefined ? path : path.replace(/\{\w+\}/, () => value);
  return query === undefined ? filled : `${filled}?${query}`;
}
