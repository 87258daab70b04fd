import { readFile } from 'node:fs/promises';
import { catalogHttp } from '@storefront/contracts';
import { z } from 'zod';

const file = new URL('../demo/shop.json', import.meta.url);

/** In euro cents. */
const price = z.int();
const quantityPrices = z.array(z.strictObject({ from: z.int(), price }));

const variantSchema = z.strictObject({
  sku: z.string(),
  values: z.array(z.string()),
  price: price.optional(),
  tradePrice: price.optional(),
  quantityPrices: quantityPrices.optional(),
  stock: z.int(),
  weight: z.int().optional(),
  /** Its picture: the file of one of the product's uploads. */
  upload: z.string().optional(),
});

const productSchema = z.strictObject({
  sku: z.string(),
  name: z.string(),
  /** The slug of the product's category. */
  category: z.string(),
  /** The name of a file in `demo/pictures`, which the catalog serves as it is. */
  picture: z.string().optional(),
  /** Files of `demo/uploads`, which are uploaded. */
  uploads: z.array(z.strictObject({ file: z.string(), alt: z.string() })).default([]),
  price,
  tradePrice: price,
  quantityPrices: quantityPrices.optional(),
  stock: z.int().optional(),
  lowStockThreshold: z.int().optional(),
  weight: z.int().optional(),
  attributes: catalogHttp.attributes,
  description: z.string(),
  options: z.array(catalogHttp.productOption).default([]),
  variants: z.array(variantSchema).default([]),
});
export type DemoProduct = z.output<typeof productSchema>;

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
  products: z.array(productSchema),
});

/** Reads the categories and products of the demo shop: coffee, tea and accessories. */
export async function readDemoShop(): Promise<z.output<typeof shopSchema>> {
  return shopSchema.parse(JSON.parse(await readFile(file, 'utf8')));
}

/** Reads a picture of `demo/uploads`. */
export function readUpload(name: string): Promise<Buffer<ArrayBuffer>> {
  return readFile(new URL(`../demo/uploads/${name}`, import.meta.url));
}
