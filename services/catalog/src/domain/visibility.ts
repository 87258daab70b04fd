import { catalogHttp, commonErrors, type identityHttp, type LimitedRole } from '@storefront/contracts';
import type { Category } from './category.ts';
import type { Product } from './product.ts';

/** The role of a caller; undefined for a caller who is not logged in. */
export type CallerRole = identityHttp.Role | LimitedRole | undefined;

/** Only approved trade accounts have the role `trade`: before the approval nobody can log in to them. */
export function seesTradePrices(role: CallerRole): boolean {
  return role === 'trade' || role === 'admin';
}

export function seesProduct({ status }: Pick<Product, 'status'>, role: CallerRole): boolean {
  return status === 'active' || role === 'admin';
}

export function seesCategory({ visible }: Pick<Category, 'visible'>, role: CallerRole): boolean {
  return visible || role === 'admin';
}

/** The statuses of the products in a list; `status` is the requested one, if any. Throws `admin_required`. */
export function listedStatuses(
  role: CallerRole,
  status: catalogHttp.ProductStatus | undefined,
): readonly catalogHttp.ProductStatus[] {
  if (role === 'admin') return status ? [status] : catalogHttp.productStatus.options;
  if (status === undefined || status === 'active') return ['active'];
  throw commonErrors.adminRequired('Only an administrator sees products that are not active.');
}
