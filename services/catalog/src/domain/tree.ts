import { catalogErrors } from '@storefront/contracts';
import type { Category, TreePlace } from './category.ts';

/** The largest number of levels in the tree. This also limits the length of every list of ancestors. */
export const maxLevels = 8;

type TreeNode = Pick<Category, 'id' | 'parentId' | 'path' | 'visible' | 'isActive'>;

/**
 * The place of a category directly below `parent`; `parent` is null for a root category. Throws `category_too_deep`.
 */
export function placeBelow(parent: TreeNode | null, isActive: boolean): TreePlace {
  if (parent === null) return { parentId: null, path: [], visible: isActive };
  if (parent.path.length + 2 > maxLevels) throw catalogErrors.categoryTooDeep(maxLevels);
  return { parentId: parent.id, path: [...parent.path, parent.id], visible: parent.visible && isActive };
}

/**
 * Calculates the new places after a category moves below `parent`: its own place, and the places of its `descendants`
 * by id. Throws `category_cycle` and `category_too_deep`.
 */
export function placesAfterMove(
  category: TreeNode,
  descendants: readonly TreeNode[],
  parent: TreeNode | null,
  isActive: boolean,
): { place: TreePlace; descendants: ReadonlyMap<string, TreePlace> } {
  if (parent !== null && (parent.id === category.id || parent.path.includes(category.id)))
    throw catalogErrors.categoryCycle();
  const place = placeBelow(parent, isActive);
  const nodes = new Map<string, TreeNode>([[category.id, { ...category, ...place }]]);
  const places = new Map<string, TreePlace>();
  const parentsFirst = descendants.toSorted((one, other) => one.path.length - other.path.length);
  for (const node of parentsFirst) {
    const newPlace = placeBelow(nodes.get(node.parentId ?? '') ?? null, node.isActive);
    nodes.set(node.id, { ...node, ...newPlace });
    places.set(node.id, newPlace);
  }
  return { place, descendants: places };
}

/** An item of a tree, with the items below it. */
export type Nested<Item> = Item & { children: Nested<Item>[] };

/**
 * Arranges the items as a tree and keeps their order. An item whose parent is missing is left out, with all items below
 * it.
 */
export function nest<Item extends { readonly id: string; readonly parentId: string | null }>(
  items: readonly Item[],
): Nested<Item>[] {
  const nodes = new Map(items.map((item): [string, Nested<Item>] => [item.id, { ...item, children: [] }]));
  const roots: Nested<Item>[] = [];
  for (const node of nodes.values()) {
    const siblings = node.parentId === null ? roots : nodes.get(node.parentId)?.children;
    siblings?.push(node);
  }
  return roots;
}
