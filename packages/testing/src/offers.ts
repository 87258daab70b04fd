interface Operation {
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly schema: { readonly enum?: readonly string[] };
  }[];
}

/** The OpenAPI document of a service, as far as it matters here. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** What a service offers, and what of it was asked for. */
export interface Offers {
  asked(method: string, path: string): void;
  /** What nobody asked for yet: `GET /v1/products`, `GET /v1/products ?q`, `GET /v1/products ?sort=name`. */
  missing(): string[];
}

/**
 * Each route of the service, with each field of its query and each word that such a field may be. A test that has to call
 * them all asks this one, so that it fails when there is a new one.
 */
export function offersOf({ paths }: ApiDocument): Offers {
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [] }]) => {
      const route = `${method.toUpperCase()} ${path}`;
      const fields = parameters.filter((parameter) => parameter.in === 'query');
      const queries = fields.flatMap(({ name, schema }) =>
        schema.enum ? schema.enum.map((word) => `${route} ?${name}=${word}`) : [`${route} ?${name}`],
      );
      return { route, queries, pattern: new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`) };
    }),
  );
  const left = new Set(routes.flatMap(({ route, queries }) => [route, ...queries]));
  return {
    asked(method, path) {
      const { pathname, searchParams } = new URL(path, 'http://service');
      const called = `${method} ${pathname}`;
      const found = routes.find(({ route }) => route === called) ?? routes.find(({ pattern }) => pattern.test(called));
      if (!found) throw new Error(`the service offers no ${called}`);
      left.delete(found.route);
      for (const [name, value] of searchParams) {
        left.delete(`${found.route} ?${name}`);
        left.delete(`${found.route} ?${name}=${value}`);
      }
    },
    missing: () => [...left],
  };
}
