/** The staff who sign in to the console. */
export const roles = ['admin', 'catalog', 'marketing', 'sales', 'support'] as const;
export type Role = (typeof roles)[number];

/** The pages of the menu, and who may open each. */
export const menu = {
  '/': ['admin', 'catalog', 'marketing', 'sales', 'support'],
  '/orders': ['admin', 'sales', 'support'],
  '/trade': ['admin', 'sales', 'support'],
  '/invoices': ['admin', 'sales', 'support'],
  '/people': ['admin', 'support'],
  '/catalog': ['admin', 'catalog', 'marketing', 'sales', 'support'],
  '/campaigns': ['admin', 'marketing', 'support'],
  '/reports': ['admin', 'marketing'],
  '/deliveries': ['admin', 'support'],
  '/system': ['admin', 'support'],
  '/settings': ['admin', 'sales', 'support'],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

/** Every page, also those that the menu does not show. */
export const pages: Readonly<Record<string, readonly Role[]>> = {
  ...menu,
  '/invoices/payments': ['admin', 'sales', 'support'],
  '/invoices/callbacks': ['admin', 'sales'],
  '/people/staff': ['admin'],
  '/people/api-tokens': ['admin'],
  '/catalog/categories': ['admin', 'catalog', 'marketing', 'sales', 'support'],
  '/catalog/import': ['admin', 'catalog'],
  '/campaigns/new': ['admin', 'marketing'],
  '/system/dead-letters': ['admin'],
  '/system/audit': ['admin', 'support'],
  '/account': ['admin', 'catalog', 'marketing', 'sales', 'support'],
};
