import { createClient, type CategoryNode } from '@storefront/client';
import type { Ctx } from './context.ts';

const freshMs = 30_000;
const kept = new Map<string, { readonly at: number; readonly tree: Promise<CategoryNode[]> }>();

/**
 * All categories, nested. They are alike for everybody and on every page, so they are asked for without a session, and kept for
 * 30 seconds.
 */
export async function categoryTree(c: Ctx): Promise<CategoryNode[]> {
  const { shop } = c.var;
  const known = kept.get(shop.apiUrl);
  if (known && Date.now() - known.at < freshMs) return known.tree;
  const tree = createClient({ baseUrl: shop.apiUrl, retries: 0, timeoutMs: 5000 })
    .categories.listCategories({ query: { view: 'tree' } })
    .then(({ data }) => data);
  kept.set(shop.apiUrl, { at: Date.now(), tree });
  // A page is shown without categories rather than not at all; the next one asks again.
  return tree.catch(() => {
    kept.delete(shop.apiUrl);
    return [];
  });
}

/** The category with this slug, with its ancestors, the root first. */
export function findCategory(tree: readonly CategoryNode[], slug: string): CategoryNode[] | undefined {
  for (const node of tree) {
    if (node.slug === slug) return [node];
    const below = findCategory(node.children ?? [], slug);
    if (below) return [node, ...below];
  }
  return undefined;
}
