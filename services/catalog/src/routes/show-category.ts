import { catalogHttp } from '@storefront/contracts';
import type { ListedCategory } from '../store/category-reads.ts';

/** A category in answers. `apiUrl` is the public address of the API. */
export function showCategory(category: ListedCategory, apiUrl: string): catalogHttp.CategoryBody {
  return {
    id: category.id,
    name: category.name,
    slug: category.slug,
    description: category.description,
    parentId: category.parentId,
    position: category.position,
    path: [...category.path],
    productCount: category.activeProducts,
    image: category.image === null ? null : catalogHttp.shownPicture(category.image, apiUrl),
    isActive: category.isActive,
    createdAt: category.createdAt.toISOString(),
    updatedAt: category.updatedAt.toISOString(),
  };
}
