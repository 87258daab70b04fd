import { operations, type OperationSpec, type ServiceName } from '@storefront/contracts';

/** An operation that clients may call, and the service that answers it. */
export interface PublicRoute {
  readonly service: ServiceName;
  readonly operation: OperationSpec;
}

/** Returns the operations of these services that clients may call. */
export function publicRoutes(services: Iterable<ServiceName>): PublicRoute[] {
  return [...services].flatMap((service) =>
    Object.values<OperationSpec>(operations[service])
      .filter(({ access }) => access !== 'system')
      .map((operation) => ({ service, operation })),
  );
}

export interface RouteTable {
  /** Returns the route of a request. A HEAD request gets the route of GET. */
  find(method: string, path: string): PublicRoute | undefined;
  /** Returns the methods of a path in the form of the `Allow` header; undefined where no route has this path. */
  methodsOf(path: string): string | undefined;
  /**
   * Returns the budget for an unknown path: `auth` where all routes with the same first two segments have a budget. So
   * unknown paths below `/v1/auth` do not avoid its limit.
   */
  budgetBeside(path: string): Budget | undefined;
  /** The operations that take the raw bytes of a body, which may be larger than other bodies. */
  readonly withRawBody: readonly RawOperation[];
}

type RawOperation = OperationSpec & Required<Pick<OperationSpec, 'rawBody'>>;

type Budget = NonNullable<OperationSpec['budget']>;

/** All routes of one path. */
interface Row {
  readonly byMethod: ReadonlyMap<string, PublicRoute>;
  readonly methods: string;
}

/**
 * Creates a table that finds routes quickly. A path without parameters is found by the whole path, any other path among
 * the patterns with the same first two segments. If two patterns match, a fixed name goes before a parameter, as in
 * OpenAPI.
 */
export function createRouteTable(routes: readonly PublicRoute[]): RouteTable {
  const fixed = new Map<string, Row>();
  const byHead = new Map<string, { pattern: RegExp; row: Row }[]>();
  // A parameter sorts after any fixed name, because `{` comes after all letters.
  const paths = Object.entries(Object.groupBy(routes, ({ operation }) => operation.path)).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  for (const [path, ofPath = []] of paths) {
    const row = toRow(ofPath);
    const head = headOf(path);
    if (head.includes('{')) throw new Error(`${path} must begin with two segments that are no parameters`);
    if (path.includes('{')) byHead.set(head, [...(byHead.get(head) ?? []), { pattern: toPattern(path), row }]);
    else fixed.set(path, row);
  }
  const rowOf = (path: string) =>
    fixed.get(path) ?? byHead.get(headOf(path))?.find(({ pattern }) => pattern.test(path))?.row;
  const budgets = budgetsByHead(routes);
  return {
    find: (method, path) => rowOf(path)?.byMethod.get(method),
    methodsOf: (path) => rowOf(path)?.methods,
    budgetBeside: (path) => budgets.get(headOf(path)),
    withRawBody: routes.map(({ operation }) => operation).filter(isRaw),
  };
}

function isRaw(operation: OperationSpec): operation is RawOperation {
  return operation.rawBody !== undefined;
}

function toRow(routes: readonly PublicRoute[]): Row {
  const byMethod = new Map(routes.map((route) => [route.operation.method as string, route]));
  const get = byMethod.get('GET');
  if (get) byMethod.set('HEAD', get);
  return { byMethod, methods: [...byMethod.keys()].toSorted().join(', ') };
}

function budgetsByHead(routes: readonly PublicRoute[]): Map<string, Budget | undefined> {
  const heads = Map.groupBy(routes, ({ operation }) => headOf(operation.path));
  return new Map(
    [...heads].map(([head, ofHead]) => [
      head,
      ofHead.every(({ operation }) => operation.budget !== undefined) ? 'auth' : undefined,
    ]),
  );
}

/** Returns the first two segments of a path. */
function headOf(path: string): string {
  const second = path.indexOf('/', 1);
  const third = second === -1 ? -1 : path.indexOf('/', second + 1);
  return third === -1 ? path : path.slice(0, third);
}

function toPattern(path: string): RegExp {
  const segments = path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '[^/]+' : segment.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)));
  return new RegExp(`^${segments.join('/')}$`);
}
