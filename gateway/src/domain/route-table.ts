import type { PublicRoute } from '../upstreams.ts';

/** Finds the row of the table that answers a path; the first that fits. */
export type RouteTable = (path: string) => PublicRoute | undefined;

/** Makes the table quick to ask: only rows that share a path's first two segments are compared. */
export function createRouteTable(routes: readonly PublicRoute[]): RouteTable {
  const byHead = new Map<string, { pattern: RegExp; route: PublicRoute }[]>();
  for (const route of routes) {
    const head = headOf(route.path);
    if (head.includes(':') || head.includes('*')) throw new Error(`${route.path} must begin with two written segments`);
    const rows = byHead.get(head) ?? [];
    byHead.set(head, [...rows, { pattern: toPattern(route.path), route }]);
  }
  return (path) => byHead.get(headOf(path))?.find(({ pattern }) => pattern.test(path))?.route;
}

function headOf(path: string): string {
  const second = path.indexOf('/', 1);
  const third = second === -1 ? -1 : path.indexOf('/', second + 1);
  return third === -1 ? path : path.slice(0, third);
}

function toPattern(path: string): RegExp {
  const below = path.endsWith('/**');
  const segments = (below ? path.slice(0, -3) : path)
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '[^/]+' : segment.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)));
  return new RegExp(`^${segments.join('/')}${below ? '(?:/.*)?' : ''}$`);
}
