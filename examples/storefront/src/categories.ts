import { createClient, type CategoryNode } from '@storefront/client';
import type { Ctx } from './context.ts';

const freshMs = 30_000;
const kept = new Map<string, { readonly at: number; readonly tree: Promise<CategoryNode[]> }>();

/**
 * All categories, nested. They are alike for everybody and on every page, so they are asked for without a session, and kept for
 * 30 seconds. Rejects where the API can't be reached.
 */
export function readCategories(c: Ctx): Promise<CategoryNode[]> {
  const { apiUrl } = c.var.shop;
  const known = kept.get(apiUrl);
  if (known && Date.now() - known.at < freshMs) return known.tree;
  const tree = createClient({ baseUrl: apiUrl, retries: 0, timeoutMs: 10_000 })
    .categories.listCategories({ query: { view: 'tree' } })
    .then(({ data }) => data);
  kept.set(apiUrl, { at: Date.now(), tree });
  // The next page asks again.
  tree.catch(() => kept.delete(apiUrl));
  return tree;
}

/** The same for what a page is shown without rather than not at all. */
export const categoryTree = (c: Ctx): Promise<CategoryNode[]> => readCategories(c).catch(() => []);

/** The first category that fits, the deepest of them, with its ancestors, the root first. */
export function findCategory(
  tree: readonly CategoryNode[],
  fits: (category: CategoryNode) => boolean,
): CategoryNode[] | undefined {
  for (const node of tree) {
    const below = findCategory(node.children ?? [], fits);
    if (below || fits(node)) return [node, ...(below ?? [])];
  }
  return undefined;
}
