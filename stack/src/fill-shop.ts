import { catalogHttp } from '@storefront/contracts';
import type { Api } from './demo-api.ts';
import { demoCategories, demoProducts } from './demo-shop.ts';

interface Listed {
  readonly id: string;
  readonly slug: string;
  readonly sku: string;
}

/** Puts the categories and products of the demo into the catalog; what is there already stays as it is. */
export async function fillShop(api: Api, adminToken: string): Promise<void> {
  const list = async (path: string) => (await api.get(`${path}?limit=100`, adminToken)).data as Listed[];
  const [oldCategories, oldProducts] = await Promise.all([list('/v1/categories'), list('/v1/products')]);

  const ids = new Map(oldCategories.map(({ slug, id }) => [slug, id]));
  const inCategory = (slug: string | null) => (slug === null ? null : (ids.get(slug) ?? null));
  // One after the other: each stands after its parent.
  for (const { parent, ...category } of demoCategories) {
    if (ids.has(category.slug)) continue;
    const { id } = await api.post('/v1/categories', { ...category, parentId: inCategory(parent) }, adminToken);
    ids.set(category.slug, String(id));
  }

  const known = new Set(oldProducts.map(({ sku }) => sku));
  const euro = (amount: number) => ({ amount, currency: 'EUR' });
  await Promise.all(
    demoProducts
      .filter(({ sku }) => !known.has(sku))
      .map(({ category, picture, price, tradePrice, ...product }) =>
        api.post(
          '/v1/products',
          {
            ...product,
            categoryIds: [inCategory(category)],
            images: [{ url: `${catalogHttp.picturesPath}${picture}`, alt: product.name }],
            price: euro(price),
            tradePrice: euro(tradePrice),
          },
          adminToken,
        ),
      ),
  );
}
