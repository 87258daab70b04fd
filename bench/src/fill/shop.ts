import type { Lab } from '../lab.ts';
import { insert } from './insert.ts';

const colours = ['red', 'green', 'blue', 'pink', 'black'];
const kinds = ['mug', 'pot', 'lamp', 'rug', 'pan', 'desk', 'sofa', 'fork', 'bowl', 'jug'];
const filledCategories = 50;

/** A category that a fiftieth of all products are in. */
export const filledCategory = categoryId(0);
/** Words that a fiftieth of all products have. */
export const searchedWords = `${colours[0]} ${kinds[0]}`;
/** The query for prices that such a share of all products have. */
export function pricesOf(share: number): string {
  return `minPrice=${prices / 2}&maxPrice=${prices / 2 + prices * share - 1}`;
}
const prices = 100_000;

/** Writes so many categories, all of them uppermost, and as many products, straight into the service's collections. */
export async function addShop(lab: Lab, { count, system }: { count: number; system: string }): Promise<void> {
  const database = await lab.database('catalog', system);
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
    // Prices are spread over all times.
    const amount = (at * 7919) % prices;
    const words = [colours[at % colours.length] ?? '', kinds[Math.floor(at / colours.length) % kinds.length] ?? ''];
    return {
      _id: `prod_${String(at).padStart(26, '0')}`,
      sku: `GROWN-${at}`,
      name: `${words.join(' ')} ${at}`,
      nameKey: `${words.join(' ')} ${at}`,
      slug: `grown-${at}`,
      words: [...words, String(at)],
      categoryIds: [categoryId(at % filledCategories)],
      images: [],
      price: { amount, currency: 'EUR' },
      // As the catalog has it in domain/price-band.ts.
      priceBand: amount === 0 ? 0 : 1 + Math.floor(Math.log(amount) / Math.log(1.1)),
      tradePrice: null,
      stock: 1,
      status: 'active',
      stockKeys: [],
      createdAt: new Date(begun - at * 1000),
      ...stored,
    };
  });
}

function categoryId(at: number): string {
  return `cat_${String(at).padStart(26, '0')}`;
}
