import type { Category } from '../domain/category.ts';
import { living } from './collections.ts';
import type { categoryIndexes, Collections } from './collections.ts';
import { after } from './seek.ts';
import type { Order } from './seek.ts';

const shown = {
  name: 1,
  nameKey: 1,
  slug: 1,
  description: 1,
  parentId: 1,
  path: 1,
  position: 1,
  image: 1,
  isActive: 1,
  visible: 1,
  activeProducts: 1,
  createdAt: 1,
  updatedAt: 1,
  version: 1,
} as const;

/** A category as read for showing. */
export interface ReadCategory extends Omit<Category, 'products' | 'children'> {
  readonly version: number;
}

type Document = Omit<ReadCategory, 'id'> & { _id: string };

const order: Order = [
  ['position', 1],
  ['nameKey', 1],
  ['_id', 1],
];

export interface CategoryReads {
  find(id: string): Promise<ReadCategory | null>;
  /** In the order of lists; `parentId` null for the uppermost, undefined for any; at most `limit + 1`, if there is a limit. */
  list(
    wanted: { onlyVisible: boolean; parentId?: string | null | undefined; limit?: number },
    position?: readonly unknown[],
  ): Promise<ReadCategory[]>;
}

export function createCategoryReads({ categories }: Collections): CategoryReads {
  return {
    async find(id) {
      const document = await categories.findOne<Document>({ _id: id, ...living }, { projection: shown });
      return document && read(document);
    },
    async list(wanted, position) {
      const { filter, hint } = categoryQuery(wanted, position);
      const cursor = categories.find<Document>(filter, { projection: shown, hint }).sort(Object.fromEntries(order));
      if (wanted.limit !== undefined) cursor.limit(wanted.limit + 1);
      return (await cursor.toArray()).map(read);
    },
  };
}

/** The query of a list of categories, and the index that answers it in its order. */
function categoryQuery(
  { onlyVisible, parentId }: { onlyVisible: boolean; parentId?: string | null | undefined },
  position: readonly unknown[] | undefined,
): { filter: Record<string, unknown>; order: Order; hint: keyof typeof categoryIndexes } {
  return {
    filter: {
      visible: { $in: onlyVisible ? [true] : [true, false] },
      ...(parentId === undefined ? {} : { parentId }),
      ...after(order, position),
      ...living,
    },
    order,
    hint: parentId === undefined ? 'ordered' : 'ordered_in_parent',
  };
}

function read({ _id, ...fields }: Document): ReadCategory {
  return { id: _id, ...fields };
}
