import type { Category, Place } from './category.ts';
import { categoryCycle, categoryTooDeep } from './errors.ts';

/** How many levels a tree may have: deep enough for any shop, and no list of ancestors grows without end. */
export const maxLevels = 8;

type Node = Pick<Category, 'id' | 'parentId' | 'path' | 'visible' | 'isActive'>;

/** Where something is that has this parent, or none. */
export function below(parent: Node | null, isActive: boolean): Place {
  if (parent === null) return { parentId: null, path: [], visible: isActive };
  if (parent.path.length + 2 > maxLevels) throw categoryTooDeep(maxLevels);
  return { parentId: parent.id, path: [...parent.path, parent.id], visible: parent.visible && isActive };
}

/**
 * Where the category is once it is below `parent`, and where all of its `descendants` are then, by id. Refuses what
 * would make a cycle, and what would make the tree too deep.
 */
export function moved(
  category: Node,
  descendants: readonly Node[],
  parent: Node | null,
  isActive: boolean,
): { place: Place; descendants: ReadonlyMap<string, Place> } {
  if (parent !== null && (parent.id === category.id || parent.path.includes(category.id))) throw categoryCycle();
  const place = below(parent, isActive);
  const nodes = new Map<string, Node>([[category.id, { ...category, ...place }]]);
  const places = new Map<string, Place>();
  // Parents before their children.
  for (const node of [...descendants].sort((one, other) => one.path.length - other.path.length)) {
    const there = below(nodes.get(node.parentId ?? '') ?? null, node.isActive);
    nodes.set(node.id, { ...node, ...there });
    places.set(node.id, there);
  }
  return { place, descendants: places };
}

/** The same items as a tree, in their order; what is below something that is not among them is left out. */
export function nest<Item extends { readonly id: string; readonly parentId: string | null }>(
  items: readonly Item[],
): (Item & { children: unknown[] })[] {
  type Nested = Item & { children: Nested[] };
  const nodes = new Map(items.map((item): [string, Nested] => [item.id, { ...item, children: [] }]));
  const roots: Nested[] = [];
  for (const node of nodes.values()) {
    const siblings = node.parentId === null ? roots : nodes.get(node.parentId)?.children;
    siblings?.push(node);
  }
  return roots;
}
