import type { OperationSpec } from '@storefront/contracts';
import { z } from 'zod';

/** Which parts of an API were called. */
export interface ApiCoverage {
  /** Notes a call. Throws where no operation has that method and path. */
  called(method: string, path: string): void;
  /** What was not called yet: `GET /v1/products`, `GET /v1/products ?q`, `GET /v1/products ?sort=name`. */
  missing(): string[];
}

/**
 * Follows calls of each operation, with each field of its query, and each word of a field that takes certain words
 * only. A test that has to call them all expects `missing` to be empty, so that it fails when the API has got a new
 * one.
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

/** `q` for a field with any value, `sort=name` and so on for one with certain words. */
function queryParts(query: z.ZodObject | undefined): string[] {
  if (query === undefined) return [];
  // Without the registry of names: a schema with a name would be a reference.
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
