import { catalogHttp, catalogOperations, roleRefusal } from '@storefront/contracts';
import type { Category } from './category.ts';
import type { Product } from './product.ts';

/**
 * Who looks at the catalog: staff see everything, approved trade accounts see trade prices, everybody else sees what is for
 * sale and its retail price.
 */
export type Viewer = 'staff' | 'trade' | 'public';

/**
 * Who makes the request. Only approved trade accounts have the role `trade`, because nobody can log in to a trade account
 * before its approval.
 */
export function viewerOf(request: {
  readonly asStaff: boolean;
  readonly caller: { readonly role: string } | null;
}): Viewer {
  if (request.asStaff) return 'staff';
  return request.caller?.role === 'trade' ? 'trade' : 'public';
}

export function seesTradePrices(viewer: Viewer): boolean {
  return viewer !== 'public';
}

export function seesProduct({ status }: Pick<Product, 'status'>, viewer: Viewer): boolean {
  return status === 'active' || viewer === 'staff';
}

export function seesCategory({ visible }: Pick<Category, 'visible'>, viewer: Viewer): boolean {
  return visible || viewer === 'staff';
}

/**
 * The statuses of the products to list. `status` is the requested status, if any. Throws `role_required` if the viewer
 * may not see it.
 */
export function listedStatuses(
  viewer: Viewer,
  status: catalogHttp.ProductStatus | undefined,
): readonly catalogHttp.ProductStatus[] {
  if (viewer === 'staff') return status ? [status] : catalogHttp.productStatus.options;
  if (status === undefined || status === 'active') return ['active'];
  throw roleRefusal(catalogOperations.listProducts, 'Only staff see products that are not active.');
}
