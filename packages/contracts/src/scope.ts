/**
 * What an API token may be for: to read an area, or to change it. An operation names the one scope that it needs; without one
 * no API token can call it.
 */
export const scopes = [
  'catalog:read',
  'catalog:write',
  'promotions:read',
  'promotions:write',
  'orders:read',
  'orders:write',
  'billing:read',
  'billing:write',
  'notifications:read',
  'notifications:write',
  'trade-accounts:read',
  'trade-accounts:write',
  'users:read',
  'analytics:read',
] as const;
export type Scope = (typeof scopes)[number];
