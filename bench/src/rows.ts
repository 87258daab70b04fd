import type { Request } from './load/plan.ts';
import type { Person } from './fill/people.ts';

/** What one client asks of one service. */
export interface ServiceRequest extends Request {
  readonly service: 'identity' | 'account' | 'catalog' | 'engagement';
}

/** Something that clients do. A new route joins the bench by a row here. */
export interface Row {
  /** For `--only requests:NAME`. */
  readonly name: string;
  readonly what: string;
  /** What one client sends, one after the other; `turn` is 0 or 1 in exchange, so that a change always changes something. */
  readonly round: (person: Person, turn: number) => readonly ServiceRequest[];
  /** The path of the bare route that makes the same database calls with the official driver: see bare-routes.ts. */
  readonly bare: (person: Person, turn: number) => readonly Request[];
  /** CPU seconds for 1,000 of the same in other systems, database included, on two cores such as these. */
  readonly others?: { readonly vendure: number; readonly medusa: number };
}

export const rows: readonly Row[] = [
  {
    name: 'read-me',
    what: 'authenticated read (GET /v1/users/me)',
    round: () => [get('identity', '/v1/users/me')],
    bare: ({ id }) => [bareGet(`/users/${id}`)],
  },
  {
    name: 'update-me',
    what: 'one-document update (PATCH /v1/users/me)',
    round: (_person, turn) => [patch('identity', '/v1/users/me', { firstName: `Robin ${turn}` })],
    bare: ({ id }, turn) => [barePatch(`/users/${id}`, { firstName: `Robin ${turn}` })],
  },
  {
    name: 'notifications',
    what: 'list of 20 notifications',
    round: () => [get('engagement', '/v1/notifications?limit=20')],
    bare: ({ id }) => [bareGet(`/notifications/${id}`)],
  },
  {
    name: 'profile',
    what: 'profile with addresses (two requests)',
    round: () => [get('identity', '/v1/users/me'), get('account', '/v1/users/me/addresses')],
    bare: ({ id }) => [bareGet(`/users/${id}`), bareGet(`/addresses/${id}`)],
    others: { vendure: 0.85, medusa: 2.3 },
  },
  {
    name: 'update-address',
    what: 'update of one address',
    round: ({ addressId }, turn) => [
      patch('account', `/v1/users/me/addresses/${addressId}`, { homeAddress: `Keizersgracht ${turn + 1}` }),
    ],
    bare: ({ id }, turn) => [barePatch(`/addresses/${id}`, { homeAddress: `Keizersgracht ${turn + 1}` })],
    others: { vendure: 3.9, medusa: 6.1 },
  },
  {
    name: 'categories',
    what: 'list of 10 categories',
    round: () => [get('catalog', '/v1/categories?limit=10')],
    bare: () => [bareGet('/categories')],
    others: { vendure: 1.7, medusa: 2 },
  },
  {
    name: 'products',
    what: 'list of 20 products with prices',
    round: () => [get('catalog', '/v1/products?limit=20')],
    bare: () => [bareGet('/products')],
    others: { vendure: 37, medusa: 13 },
  },
];

function get(service: ServiceRequest['service'], path: string): ServiceRequest {
  return { service, method: 'GET', path };
}

function patch(service: ServiceRequest['service'], path: string, body: object): ServiceRequest {
  return {
    service,
    method: 'PATCH',
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

function bareGet(path: string): Request {
  return { method: 'GET', path };
}

function barePatch(path: string, body: object): Request {
  return { method: 'PATCH', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
