/** The services behind the gateway. */
export const serviceNames = ['identity', 'account', 'catalog', 'engagement', 'billing', 'health'] as const;

export type ServiceName = (typeof serviceNames)[number];

/** A part of the public API and the service that answers it. */
export interface PublicRoute {
  /** `:name` stands for one segment; `/**` at the end for the path itself and everything below it. */
  readonly path: string;
  readonly service: ServiceName;
  /** Routes where somebody may try passwords and codes have a far smaller budget. */
  readonly budget?: 'auth';
  /** The answer may stay open for as long as the client likes. */
  readonly stream?: true;
}

/** The public API map: what is not in it can't be reached. The first row that fits counts. */
export const publicApi: readonly PublicRoute[] = [
  { path: '/.well-known/jwks.json', service: 'identity' },
  { path: '/v1/auth/**', service: 'identity', budget: 'auth' },
  { path: '/v1/users/me', service: 'identity' },
  { path: '/v1/users/me/export', service: 'identity' },
  { path: '/v1/users/me/exports/**', service: 'identity' },
  { path: '/v1/users/me/addresses/**', service: 'account' },
  { path: '/v1/wishlist/**', service: 'account' },
  { path: '/v1/wishlists/**', service: 'account' },
  { path: '/v1/customers/**', service: 'account' },
  { path: '/v1/categories/**', service: 'catalog' },
  { path: '/v1/products/**', service: 'catalog' },
  { path: '/v1/notifications/stream', service: 'engagement', stream: true },
  { path: '/v1/notifications/**', service: 'engagement' },
  { path: '/v1/campaigns/**', service: 'engagement' },
  { path: '/v1/discounts/**', service: 'engagement' },
  { path: '/v1/analytics/**', service: 'engagement' },
  { path: '/v1/trade-accounts/:id/credit', service: 'billing' },
  { path: '/v1/trade-accounts/**', service: 'identity' },
  { path: '/v1/invoices/**', service: 'billing' },
  { path: '/v1/payments/**', service: 'billing' },
  { path: '/v1/health/ready', service: 'health' },
  { path: '/v1/health/history', service: 'health' },
];
