import type { PageOf, Slice } from '@storefront/contracts';
import { living } from '@storefront/mongo';
import type { Category } from '../domain/category.ts';
import type { SlugOfCategory } from '../domain/sheets/columns.ts';
import type { Store } from './collections.ts';

/** A category as lists show it. */
export type ListedCategory = Omit<Category, 'products' | 'children'>;

/** Which categories to list. */
interface CategoryFilter {
  readonly onlyVisible: boolean;
  /** Null for root categories, and undefined for all categories. */
  readonly parentId: string | null | undefined;
  readonly slug: string | undefined;
}

/** Reads categories. All lists are sorted by position, then by name. */
export interface CategoryReads {
  page(filter: CategoryFilter, slice: Slice): Promise<PageOf<ListedCategory>>;
  all(filter: CategoryFilter): Promise<ListedCategory[]>;
  /** Reads the slugs of all categories, for files of products. */
  slugs(): Promise<SlugOfCategory>;
  /** The ids of a category, by id or slug, and of all categories below it; empty where there is no such category. */
  branch(idOrSlug: string): Promise<readonly string[]>;
}

const order = { position: 1, nameKey: 1, _id: 1 } as const;
const without = ['products', 'children'] as const;

export function createCategoryReads({
  categories,
  categorySlugs,
}: Pick<Store, 'categories' | 'categorySlugs'>): CategoryReads {
  return {
    async page(filter, slice) {
      const { items, next } = await categories.page({ ...(await queryOf(filter)), order, slice, without });
      return { items: items.map(({ state }) => state), next };
    },

    all,

    async slugs() {
      const found = await all({ onlyVisible: false, parentId: undefined, slug: undefined });
      const slugs = new Map(found.map(({ id, slug }) => [id, slug]));
      return (id) => slugs.get(id) ?? id;
    },

    async branch(idOrSlug) {
      const id = idOrSlug.startsWith('cat_') ? idOrSlug : await categorySlugs.ownerOf(idOrSlug);
      if (id === undefined) return [];
      const branch = await categories.collection
        .find({ $or: [{ _id: id }, { path: id }], ...living }, { projection: { _id: 1 } })
        .toArray();
      return branch.map(({ _id }) => _id);
    },
  };

  async function all(query: CategoryFilter): Promise<ListedCategory[]> {
    const { filter, hint } = await queryOf(query);
    return (await categories.find(filter, { order, hint, without })).map(({ state }) => state);
  }

  async function queryOf({ onlyVisible, parentId, slug }: CategoryFilter) {
    const filter = {
      // Both values of `visible` are listed, because the index begins with this field and gives the sort order only if
      // the filter names it.
      visible: { $in: onlyVisible ? [true] : [true, false] },
      ...(parentId === undefined ? {} : { parentId }),
    };
    if (slug !== undefined)
      return { filter: { _id: (await categorySlugs.ownerOf(slug)) ?? '', ...filter }, hint: '_id_' };
    return { filter, hint: parentId === undefined ? 'ordered' : 'ordered_in_parent' };
  }
}
