import type { catalogHttp } from '@storefront/contracts';
import type { ListedCategory } from '../store/category-reads.ts';

export function showCategory(category: ListedCategory): catalogHttp.CategoryBody {
  return {
    id: category.id,
    name: category.name,
    slug: category.slug,
    description: category.description,
    parentId: category.parentId,
    position: category.position,
    path: [...category.path],
    productCount: category.activeProducts,
    image: category.image,
    isActive: category.isActive,
    createdAt: category.createdAt.toISOString(),
    updatedAt: category.updatedAt.toISOString(),
  };
}
