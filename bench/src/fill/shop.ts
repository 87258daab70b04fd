import type { BenchContext } from '../context.ts';
import { insert } from './insert.ts';

const colours = ['red', 'green', 'blue', 'pink', 'black'];
const kinds = ['mug', 'pot', 'lamp', 'rug', 'pan', 'desk', 'sofa', 'fork', 'bowl', 'jug'];
const fits = ['slim', 'regular', 'wide'];
const filledCategories = 50;

/** A category with a fiftieth of all products. */
export const filledCategory = categoryId(0);
/** Two words that are in the names of a fiftieth of all products. */
export const searchedWords = `${colours[0]} ${kinds[0]}`;
/** What a page of a shop asks for beside its products. */
export const shownCounts = 'count=true&facets=category,price,inStock,attr.colour,attr.maker';
/** The query for a range of prices that has this share of all products. */
export function pricesOf(share: number): string {
  return `minPrice=${prices / 2}&maxPrice=${prices / 2 + prices * share - 1}`;
}
const prices = 100_000;

/** Inserts `count` top-level categories and as many products, each with three variants, directly into the service's collections. */
export async function addShop(
  context: BenchContext,
  { count, prefix }: { count: number; prefix: string },
): Promise<void> {
  const database = await context.database('catalog', prefix);
  const begun = Date.now();
  const stored = { description: null, updatedAt: new Date(begun), version: 1, outbox: [] };
  await insert(database.collection<{ _id: string }>('categories'), count, (at) => {
    const products = at < filledCategories ? count / filledCategories : 0;
    return {
      _id: categoryId(at),
      name: `Category ${at}`,
      nameKey: `category ${at}`,
      slug: `category-${at}`,
      parentId: null,
      path: [],
      position: at % 100,
      image: null,
      isActive: true,
      visible: true,
      children: 0,
      products,
      activeProducts: products,
      createdAt: new Date(begun),
      ...stored,
    };
  });
  await insert(database.collection<{ _id: string }>('products'), count, (at) => {
    // Spreads prices evenly, independent of the time of creation.
    const amount = (at * 7919) % prices;
    const words = [colours[at % colours.length] ?? '', kinds[Math.floor(at / colours.length) % kinds.length] ?? ''];
    return {
      _id: `prod_${String(at).padStart(26, '0')}`,
      sku: `GROWN-${at}`,
      name: `${words.join(' ')} ${at}`,
      nameKey: `${words.join(' ')} ${at}`,
      slug: `grown-${at}`,
      attributes: { colour: words[0] ?? '', size: at % 12, organic: at % 2 === 0, maker: `Maker ${at % 200}` },
      categoryIds: [categoryId(at % filledCategories)],
      images: [],
      price: { amount, currency: 'EUR' },
      tradePrice: null,
      stock: fits.length,
      reserved: 0,
      status: 'active',
      selling: {
        taxClass: 'standard',
        weight: null,
        quantityPrices: [],
        relatedIds: [],
        availableFrom: null,
        backOrders: { allowed: false, text: null },
        lowStockThreshold: null,
      },
      options: [{ name: 'Fit', values: fits }],
      variants: fits.map((fit, variant) => ({
        id: `var_${String(at * fits.length + variant).padStart(26, '0')}`,
        sku: `GROWN-${at}-${fit.toUpperCase()}`,
        values: [fit],
        price: null,
        tradePrice: null,
        quantityPrices: null,
        stock: 1,
        reserved: 0,
        weight: null,
        image: null,
        status: 'active',
      })),
      lowestPrice: amount,
      stockKeys: [],
      createdAt: new Date(begun - at * 1000),
      ...stored,
    };
  });
}

function categoryId(at: number): string {
  return `cat_${String(at).padStart(26, '0')}`;
}
