import { catalogHttp } from '@storefront/contracts';
import type { DemoApi } from './demo-api.ts';
import { readDemoShop, readUpload, type DemoProduct } from './demo-shop.ts';

/** The fields of a category of a list that are needed here. */
interface ListedCategory {
  readonly id: string;
  readonly slug: string;
}

type Product = Pick<catalogHttp.ProductBody, 'id' | 'sku' | 'images' | 'variants'>;

// Must be less than the number of parallel requests that a gateway allows for one user (MAX_USER_IN_FLIGHT).
const atOnce = 8;

/**
 * Creates the categories and products of the demo shop, and uploads their pictures. Of those that exist, after a start that
 * was interrupted, only missing pictures are uploaded.
 */
export async function fillShop(api: DemoApi, adminToken: string): Promise<void> {
  const { categories, products } = await readDemoShop();
  const list = async <Item>(path: string) => (await api.get(`${path}?limit=100`, adminToken)).data as Item[];
  const [existingCategories, existingProducts] = await Promise.all([
    list<ListedCategory>('/v1/categories'),
    list<Product>('/v1/products'),
  ]);

  const ids = new Map(existingCategories.map(({ slug, id }) => [slug, id]));
  const idOf = (slug: string | null) => (slug === null ? null : (ids.get(slug) ?? null));
  // Categories are created one by one, because a category needs the id of its parent.
  for (const { parent, ...category } of categories) {
    if (ids.has(category.slug)) continue;
    const { id } = await api.post('/v1/categories', { ...category, parentId: idOf(parent) }, adminToken);
    ids.set(category.slug, String(id));
  }

  const existing = new Map(existingProducts.map((product) => [product.sku, product]));
  const left = [...products];
  const makeSome = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const body = bodyOf(next, idOf(next.category));
      const made = existing.get(next.sku) ?? ((await api.post('/v1/products', body, adminToken)) as unknown as Product);
      await uploadPictures(api, adminToken, next, made);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, makeSome));
}

const euros = (amount: number) => ({ amount, currency: 'EUR' });

/** The body of the request that creates a product. */
function bodyOf(product: DemoProduct, categoryId: string | null): Record<string, unknown> {
  const { category: _category, picture, uploads: _uploads, variants, ...fields } = product;
  return {
    ...fields,
    ...pricesOf(product),
    categoryIds: [categoryId],
    images: picture === undefined ? [] : [{ url: `${catalogHttp.picturesPath}${picture}`, alt: product.name }],
    variants: variants.map(({ upload: _upload, ...variant }) => ({ ...variant, ...pricesOf(variant) })),
  };
}

function pricesOf({ price, tradePrice, quantityPrices }: Pick<DemoProduct['variants'][number], PriceFields>) {
  return {
    ...(price !== undefined && { price: euros(price) }),
    ...(tradePrice !== undefined && { tradePrice: euros(tradePrice) }),
    ...(quantityPrices && {
      quantityPrices: quantityPrices.map((each) => ({ from: each.from, price: euros(each.price) })),
    }),
  };
}
type PriceFields = 'price' | 'tradePrice' | 'quantityPrices';

/** Uploads the pictures that the product does not have yet, one by one, since lists show them in that order. */
async function uploadPictures(
  api: DemoApi,
  adminToken: string,
  { uploads, variants }: DemoProduct,
  { id, images, variants: made }: Product,
): Promise<void> {
  const urls = new Map(images.map(({ alt, url }) => [alt, url]));
  for (const { file, alt } of uploads) {
    const path = `/v1/products/${id}/images?alt=${encodeURIComponent(alt)}`;
    const url = urls.get(alt) ?? String((await api.upload(path, await readUpload(file), adminToken))['url']);
    for (const variant of made.filter(({ image }) => image === null)) {
      const wanted = variants.find(({ sku }) => sku === variant.sku)?.upload;
      if (wanted === file) await api.patch(`/v1/products/${id}/variants/${variant.id}`, { image: url }, adminToken);
    }
  }
}
