import { catalogHttp, commonErrors, type identityHttp, type LimitedRole } from '@storefront/contracts';
import type { Category } from './category.ts';
import type { Product } from './product.ts';

/** The role of a caller; undefined for a caller who is not logged in. */
export type CallerRole = identityHttp.Role | LimitedRole | undefined;

/**
 * Whether the caller sees trade prices. Only approved trade accounts have the role `trade`, because nobody can log in
 * to a trade account before its approval.
 */
export function seesTradePrices(role: CallerRole): boolean {
  return role === 'trade' || role === 'admin';
}

export function seesProduct({ status }: Pick<Product, 'status'>, role: CallerRole): boolean {
  return status === 'active' || role === 'admin';
}

export function seesCategory({ visible }: Pick<Category, 'visible'>, role: CallerRole): boolean {
  return visible || role === 'admin';
}

/**
 * The statuses of the products to list. `status` is the requested status, if any. Throws `admin_required` if the caller
 * may not see it.
 */
export function listedStatuses(
  role: CallerRole,
  status: catalogHttp.ProductStatus | undefined,
): readonly catalogHttp.ProductStatus[] {
  if (role === 'admin') return status ? [status] : catalogHttp.productStatus.options;
  if (status === undefined || status === 'active') return ['active'];
  throw commonErrors.adminRequired('Only an administrator sees products that are not active.');
}
