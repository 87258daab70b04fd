import { readFile } from 'node:fs/promises';
import { catalogHttp } from '@storefront/contracts';
import { z } from 'zod';

const file = new URL('../demo/shop.json', import.meta.url);

const shopSchema = z.strictObject({
  categories: z.array(
    z.strictObject({
      slug: z.string(),
      name: z.string(),
      /** The slug of the parent category, which must come earlier in the file. */
      parent: z.string().nullable(),
      position: z.int(),
      description: z.string(),
    }),
  ),
  products: z.array(
    z.strictObject({
      sku: z.string(),
      name: z.string(),
      /** The slug of the product's category. */
      category: z.string(),
      /** The name of a file in `demo/pictures`. */
      picture: z.string(),
      /** The price in euro cents. */
      price: z.int(),
      /** The price for trade accounts in euro cents. */
      tradePrice: z.int(),
      stock: z.int(),
      attributes: catalogHttp.attributes,
      description: z.string(),
    }),
  ),
});

/** Reads the categories and products of the demo shop: coffee, tea and accessories. */
export async function readDemoShop(): Promise<z.output<typeof shopSchema>> {
  return shopSchema.parse(JSON.parse(await readFile(file, 'utf8')));
}
