import type { OperationSpec } from '@storefront/contracts';
import { z } from 'zod';

/** Records which parts of an API were called. */
export interface ApiCoverage {
  /** Records a call. Throws if no operation has this method and path. */
  called(method: string, path: string): void;
  /**
   * Returns what was not called yet, such as `GET /v1/products`, `GET /v1/products ?q` or `GET /v1/products
   * ?sort=name`.
   */
  missing(): string[];
}

/**
 * Records calls of each operation, of each query field, and of each word of an enum in the query. A test that must call
 * all of them expects `missing` to be empty, so it fails when the API gets a new one.
 */
export function coverageOf(operations: readonly OperationSpec[]): ApiCoverage {
  const routes = operations.map(({ method, path, query }) => {
    const route = `${method} ${path}`;
    return { route, parts: queryParts(query).map((part) => `${route} ?${part}`), pattern: patternOf(route) };
  });
  const left = new Set(routes.flatMap(({ route, parts }) => [route, ...parts]));
  return {
    called(method, path) {
      const { pathname, searchParams } = new URL(path, 'http://service');
      const call = `${method} ${pathname}`;
      const found = routes.find(({ route }) => route === call) ?? routes.find(({ pattern }) => pattern.test(call));
      if (!found) throw new Error(`no operation is ${call}`);
      left.delete(found.route);
      for (const [name, value] of searchParams) {
        left.delete(`${found.route} ?${name}`);
        left.delete(`${found.route} ?${name}=${value}`);
      }
    },
    missing: () => [...left],
  };
}

/** Returns `q` for a field with any value, and `sort=name` and so on for each word of an enum. */
function queryParts(query: z.ZodObject | undefined): string[] {
  if (query === undefined) return [];
  // Uses an empty registry of names, because a schema with a name would become a reference.
  const metadata = z.registry<{ id?: string }>();
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any', metadata });
  return Object.entries(properties).flatMap(([name, schema]) => {
    const words = typeof schema === 'object' ? schema.enum : undefined;
    return words ? words.map((word) => `${name}=${String(word)}`) : [name];
  });
}

function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
