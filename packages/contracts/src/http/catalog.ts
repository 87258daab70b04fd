import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { line, money, page, pageQuery, text, timestamp } from './common.ts';

/** Where the catalog serves pictures of its own; addresses elsewhere are whole. */
export const picturesPath = '/v1/products/images/';

/** The file name of a picture: nothing in it can leave the folder. */
export const pictureName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}\.(svg|png|jpg|webp|avif)$/);

const pictureAddress = z
  .string()
  .max(2048)
  .refine(isPictureAddress, { error: `must be an http or https address, or begin with ${picturesPath}` })
  .meta({ examples: ['https://images.example.com/mug.jpg', `${picturesPath}mug.svg`] });

function isPictureAddress(address: string): boolean {
  if (address.startsWith(picturesPath)) return pictureName.safeParse(address.slice(picturesPath.length)).success;
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

const slug = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'must be lower-case letters and digits, joined by hyphens' })
  .meta({ examples: ['loose-leaf-tea'] });

const nonEmpty = [
  (change: object) => Object.keys(change).length > 0,
  { error: 'must name at least one field to change' },
] as const;

const categoryFields = {
  name: line(100),
  slug,
  description: text(2000).nullable(),
  parentId: idSchema('cat').nullable(),
  position: z.int().min(0).max(1_000_000),
  image: pictureAddress.nullable(),
  isActive: z.boolean(),
};

export const categoryCreation = z
  .strictObject({
    name: categoryFields.name,
    slug: slug.optional().meta({ description: 'Made from the name where it is left out.' }),
    description: categoryFields.description.default(null),
    parentId: categoryFields.parentId.default(null),
    position: categoryFields.position.default(0),
    image: categoryFields.image.default(null),
    isActive: categoryFields.isActive.default(true),
  })
  .meta({ id: 'CategoryCreation' });
export type CategoryCreation = z.output<typeof categoryCreation>;

export const categoryChange = z
  .strictObject(categoryFields)
  .partial()
  .refine(...nonEmpty)
  .meta({ id: 'CategoryChange' });
export type CategoryChange = z.output<typeof categoryChange>;

const category = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  parentId: z.string().nullable(),
  position: z.int().meta({ description: 'Lists are ordered by position, then name.' }),
  path: z.array(z.string()).meta({ description: 'The ids of its ancestors, the root first.' }),
  productCount: z.int().meta({
    description: 'Active products that are in this very category; those of sub-categories are counted there.',
  }),
  image: z.string().nullable(),
  isActive: z.boolean().meta({
    description: 'Where it is false, shoppers see neither the category nor what is below it.',
  }),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const categoryBody = category.meta({ id: 'Category' });
export type CategoryBody = z.output<typeof category>;

export const categoryNode = category
  .extend({
    get children() {
      return z.array(categoryNode).optional().meta({ description: 'With `view=tree` alone.' });
    },
  })
  .meta({ id: 'CategoryNode' });
export type CategoryNode = z.output<typeof categoryNode>;

export const categoryPage = page(categoryNode).meta({ id: 'CategoryPage' });
export type CategoryPage = z.output<typeof categoryPage>;

export const categoryParams = z.object({ id: idSchema('cat') });

export const categoryQuery = z.strictObject({
  ...pageQuery,
  view: z.enum(['flat', 'tree']).default('flat').meta({ description: '`tree` answers all of them, nested.' }),
  parentId: z
    .union([idSchema('cat'), z.literal('root')])
    .optional()
    .meta({ description: 'Only those directly below this one; `root` for the uppermost.' }),
});

export const categoryDeletionQuery = z
  .strictObject({
    strategy: z.enum(['reject', 'reassign', 'cascade']).default('reject').meta({
      description:
        'What becomes of sub-categories and products: `reject` refuses where there are any; `reassign` moves both to the category `to`; `cascade` deletes the sub-categories too, and takes the products out of all of them. No strategy deletes a product.',
    }),
    to: idSchema('cat').optional(),
    dryRun: z
      .enum(['true', 'false'])
      .default('false')
      .transform((given) => given === 'true'),
  })
  .refine(({ strategy, to }) => (strategy === 'reassign') === (to !== undefined), {
    path: ['to'],
    error: 'goes together with strategy=reassign, and only with it',
  });
export type CategoryDeletionQuery = z.output<typeof categoryDeletionQuery>;

export const categoryDeleted = z
  .object({
    id: z.string(),
    deleted: z.boolean().meta({ description: 'False for a dry run.' }),
    dryRun: z.boolean(),
    strategy: z.enum(['reject', 'reassign', 'cascade']),
    categoriesDeleted: z.int().meta({ description: 'This one included.' }),
    childrenReassigned: z.int(),
    productsReassigned: z.int(),
    productsRemoved: z.int().meta({ description: 'Products that were taken out of the deleted categories.' }),
    productsUncategorised: z.int().meta({ description: 'Those of them that are in no category now.' }),
  })
  .meta({ id: 'CategoryDeleted' });
export type CategoryDeletedBody = z.output<typeof categoryDeleted>;

export const productStatus = z.enum(['draft', 'active', 'archived']);
export type ProductStatus = z.infer<typeof productStatus>;

const image = z.strictObject({ url: pictureAddress, alt: line(200, 0).default('') });

/** The fields of a product, each as a request gives it. */
export const productFields = {
  sku: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$/, { error: 'must be letters, digits and . _ / - (at most 64)' })
    .meta({ examples: ['TEA-0042'], description: 'Unique, whatever the case of its letters.' }),
  name: line(200),
  slug,
  description: text(5000).nullable(),
  categoryIds: z
    .array(idSchema('cat'))
    .max(20)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'must not name a category twice' }),
  images: z.array(image).max(10),
  price: money,
  tradePrice: money.nullable(),
  stock: z.int().min(0).max(1_000_000_000),
  status: productStatus,
};

export const productCreation = z
  .strictObject({
    sku: productFields.sku,
    name: productFields.name,
    slug: slug.optional().meta({ description: 'Made from the name where it is left out.' }),
    description: productFields.description.default(null),
    categoryIds: productFields.categoryIds.default([]),
    images: productFields.images.default([]),
    price: productFields.price,
    tradePrice: productFields.tradePrice.default(null),
    stock: productFields.stock.default(0),
    status: productFields.status.default('active'),
  })
  .meta({ id: 'ProductCreation' });
export type ProductCreation = z.output<typeof productCreation>;

export const productChange = z
  .strictObject({
    ...productFields,
    stock: productFields.stock.meta({
      description: 'Counted anew. For what comes and goes use the stock route: it never loses a change to another one.',
    }),
  })
  .partial()
  .refine(...nonEmpty)
  .meta({ id: 'ProductChange' });
export type ProductChange = z.output<typeof productChange>;

export const stockChange = z
  .strictObject({
    change: z
      .int()
      .min(-1_000_000)
      .max(1_000_000)
      .refine((change) => change !== 0, { error: 'must not be 0' })
      .meta({ description: 'How many come (above zero) or go.' }),
    reason: line(200).optional(),
  })
  .meta({ id: 'StockChange' });

export const product = z
  .object({
    id: z.string(),
    sku: z.string(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    categoryIds: z.array(z.string()),
    images: z.array(z.object({ url: z.string(), alt: z.string() })),
    price: money,
    tradePrice: money.nullable().optional().meta({ description: 'For trade accounts and administrators only.' }),
    stock: z.int(),
    status: productStatus,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Product' });
export type ProductBody = z.output<typeof product>;
export const productPage = page(product).meta({ id: 'ProductPage' });
export type ProductPage = z.output<typeof productPage>;

export const productParams = z.object({ id: idSchema('prod') });
export const pictureParams = z.object({ name: pictureName });

export const productSort = z.enum(['newest', 'price', '-price', 'name']);
export type ProductSort = z.infer<typeof productSort>;

const priceLimit = z.coerce.number().int().min(0).max(1_000_000_000_000);

export const productQuery = z
  .strictObject({
    ...pageQuery,
    category: z
      .union([idSchema('cat'), slug])
      .optional()
      .meta({ description: 'The id or the slug of a category; what is in its sub-categories is found too.' }),
    q: line(200)
      .optional()
      .meta({ description: 'Words of name, SKU and description; a product has to hold all of them.' }),
    minPrice: priceLimit.optional().meta({ description: 'Of the retail price, in minor units, included.' }),
    maxPrice: priceLimit.optional(),
    sort: productSort.default('newest'),
    status: productStatus
      .optional()
      .meta({ description: 'For administrators, who see all of them otherwise; others see active ones only.' }),
  })
  .refine(({ minPrice, maxPrice }) => minPrice === undefined || maxPrice === undefined || minPrice <= maxPrice, {
    path: ['maxPrice'],
    error: 'must not be below minPrice',
  });
export type ProductQuery = z.output<typeof productQuery>;
