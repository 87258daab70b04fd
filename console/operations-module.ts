import { operations, staffOf, type OperationSpec } from '@storefront/contracts';
import type { Plugin } from 'vite';
import { z } from 'zod';
import type { FilterField, OperationInfo } from './src/api/operation-info.ts';

const [name, resolved] = ['virtual:operations', '\0virtual:operations'];
const notFilters = new Set(['limit', 'cursor', 'dialect', 'format', 'count', 'facets', 'view']);

/**
 * A module with what the console has to know of the operations: who of the staff may call each, and how lists are filtered.
 * It is made of the contracts when the console is built, so a filter or a role that the API gains is there without a change.
 */
export function operationsModule(): Plugin {
  return {
    name: 'storefront-operations',
    resolveId: (id) => (id === name ? resolved : undefined),
    load: (id) => (id === resolved ? `export const operations = ${JSON.stringify(operationInfo())};` : undefined),
  };
}

/** What the console knows of each operation, by its id. */
export function operationInfo(): Readonly<Record<string, OperationInfo>> {
  const all: readonly OperationSpec[] = Object.values(operations).flatMap((group) => Object.values(group));
  return Object.fromEntries(
    all.map((spec) => {
      const filters = filtersOf(spec);
      const { method, path } = spec;
      return [spec.id, { method, path, staff: staffOf(spec), ...(filters.length > 0 && { filters }) }];
    }),
  );
}

function filtersOf({ method, query }: OperationSpec): FilterField[] {
  if (method !== 'GET' || !query || !('cursor' in query.shape)) return [];
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties)
    .filter(([field]) => !notFilters.has(field))
    .map(([field, schema]) => ({ name: field, ...kindOf(schema as Shown) }));
}

interface Shown {
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly anyOf?: readonly Shown[];
}

function kindOf(schema: Shown): Omit<FilterField, 'name'> {
  const choices = schema.enum ?? schema.anyOf?.flatMap((one) => one.enum ?? (one.const ? [one.const] : []));
  if (choices && choices.length > 0) {
    const isFlag = choices.every((choice) => ['true', 'false'].includes(choice));
    return isFlag ? { kind: 'flag' } : { kind: 'choice', choices };
  }
  if (schema.type === 'boolean') return { kind: 'flag' };
  const formats = new Set([schema.format, ...(schema.anyOf ?? []).map(({ format }) => format)]);
  if (formats.has('date-time')) return { kind: 'date' };
  if (formats.has('date')) return { kind: 'day' };
  return { kind: 'text' };
}
