import type { Person } from './fill/people.ts';
import type { LoadRequest } from './load/plan.ts';

/** A request to one service. */
export interface ServiceRequest extends LoadRequest {
  readonly service: 'identity' | 'account' | 'catalog' | 'engagement';
}

/** A kind of use that is measured. A new route joins the bench by a workload here. */
export interface Workload {
  /** For `--only requests:NAME`. */
  readonly name: string;
  readonly what: string;
  /** The requests of a client. `variant` is 0 and 1 in alternation, so that every update changes something. */
  readonly requests: (person: Person, variant: number) => readonly ServiceRequest[];
  /** The requests to the bare routes (`bare/routes.ts`) that make the same database calls with the official driver. */
  readonly bareRequests: (person: Person, variant: number) => readonly LoadRequest[];
}

export const workloads: readonly Workload[] = [
  {
    name: 'read-me',
    what: 'authenticated read (GET /v1/users/me)',
    requests: () => [get('identity', '/v1/users/me')],
    bareRequests: ({ id }) => [bareGet(`/users/${id}`)],
  },
  {
    name: 'update-me',
    what: 'one-document update (PATCH /v1/users/me)',
    requests: (_person, variant) => [patch('identity', '/v1/users/me', { firstName: `Robin ${variant}` })],
    bareRequests: ({ id }, variant) => [barePatch(`/users/${id}`, { firstName: `Robin ${variant}` })],
  },
  {
    name: 'notifications',
    what: 'list of 20 notifications',
    requests: () => [get('engagement', '/v1/notifications?limit=20')],
    bareRequests: ({ id }) => [bareGet(`/notifications/${id}`)],
  },
  {
    name: 'profile',
    what: 'profile with addresses (two requests)',
    requests: () => [get('identity', '/v1/users/me'), get('account', '/v1/users/me/addresses')],
    bareRequests: ({ id }) => [bareGet(`/users/${id}`), bareGet(`/addresses/${id}`)],
  },
  {
    name: 'update-address',
    what: 'update of one address',
    requests: ({ addressId }, variant) => [
      patch('account', `/v1/users/me/addresses/${addressId}`, { homeAddress: `Keizersgracht ${variant + 1}` }),
    ],
    bareRequests: ({ id }, variant) => [barePatch(`/addresses/${id}`, { homeAddress: `Keizersgracht ${variant + 1}` })],
  },
  {
    name: 'categories',
    what: 'list of 10 categories',
    requests: () => [get('catalog', '/v1/categories?limit=10')],
    bareRequests: () => [bareGet('/categories')],
  },
  {
    name: 'products',
    what: 'list of 20 products with prices',
    requests: () => [get('catalog', '/v1/products?limit=20')],
    bareRequests: () => [bareGet('/products')],
  },
  {
    name: 'search',
    what: 'search for 20 products with facets',
    requests: () => [get('catalog', '/v1/products?limit=20&q=mug&count=true&facets=category,price,inStock')],
    bareRequests: () => [bareGet('/products')],
  },
];

function get(service: ServiceRequest['service'], path: string): ServiceRequest {
  return { service, ...bareGet(path) };
}

function patch(service: ServiceRequest['service'], path: string, body: object): ServiceRequest {
  return { service, ...barePatch(path, body) };
}

function bareGet(path: string): LoadRequest {
  return { method: 'GET', path };
}

function barePatch(path: string, body: object): LoadRequest {
  return { method: 'PATCH', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
