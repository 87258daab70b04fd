import { catalogHttp } from '@storefront/contracts';
import type { DemoApi } from './demo-api.ts';
import { readDemoShop } from './demo-shop.ts';

/** The fields of listed categories and products that are needed here. */
interface ListItem {
  readonly id: string;
  readonly slug: string;
  readonly sku: string;
}

// Must be less than the number of parallel requests that a gateway allows for one user (MAX_USER_IN_FLIGHT).
const atOnce = 8;

/** Creates the categories and products of the demo shop. Existing ones are not changed. */
export async function fillShop(api: DemoApi, adminToken: string): Promise<void> {
  const { categories, products } = await readDemoShop();
  const list = async (path: string) => (await api.get(`${path}?limit=100`, adminToken)).data as ListItem[];
  const [existingCategories, existingProducts] = await Promise.all([list('/v1/categories'), list('/v1/products')]);

  const ids = new Map(existingCategories.map(({ slug, id }) => [slug, id]));
  const idOf = (slug: string | null) => (slug === null ? null : (ids.get(slug) ?? null));
  // Categories are created one by one, because a category needs the id of its parent.
  for (const { parent, ...category } of categories) {
    if (ids.has(category.slug)) continue;
    const { id } = await api.post('/v1/categories', { ...category, parentId: idOf(parent) }, adminToken);
    ids.set(category.slug, String(id));
  }

  const existingSkus = new Set(existingProducts.map(({ sku }) => sku));
  const euros = (amount: number) => ({ amount, currency: 'EUR' });
  const missing = products.filter(({ sku }) => !existingSkus.has(sku));
  const createMissing = async () => {
    for (let next = missing.shift(); next; next = missing.shift()) {
      const { category, picture, price, tradePrice, ...product } = next;
      const body = {
        ...product,
        categoryIds: [idOf(category)],
        images: [{ url: `${catalogHttp.picturesPath}${picture}`, alt: product.name }],
        price: euros(price),
        tradePrice: euros(tradePrice),
      };
      await api.post('/v1/products', body, adminToken);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, createMissing));
}
