import type { FieldError } from '../problem.ts';
import { bodyField } from './common.ts';
import { defineErrors } from './refusal.ts';

export const catalogErrors = defineErrors({
  slugTaken: {
    kind: 'conflict',
    detail: (slug: string) => `The slug ${slug} belongs to another one. Leave it out to have one made.`,
    example: ['loose-leaf-tea'],
  },
  skuTaken: {
    kind: 'conflict',
    detail: (sku: string) => `The SKU ${sku} belongs to another product or variant.`,
    example: ['MUG-0001'],
  },
  categoryCycle: {
    kind: 'rule',
    detail: 'A category can be neither in itself nor in one that is below it.',
  },
  categoryTooDeep: {
    kind: 'rule',
    detail: (levels: number) => `Categories go ${levels} levels deep at most.`,
    example: [8],
  },
  /** `products` counts products of every status, because a draft would lose its category too. */
  categoryNotEmpty: {
    kind: 'conflict',
    detail: (children: number, products: number) =>
      `It holds ${children} sub-categories and ${products} products, drafts and archived ones included. ` +
      'Say what becomes of them: strategy=reassign&to=cat_… or strategy=cascade.',
    example: [1, 12],
  },
  invalidTarget: {
    kind: 'rule',
    detail: (why: string) => why,
    example: ['There is no such category to reassign to.'],
  },
  importFileRefused: {
    kind: 'rule',
    detail: (why: string) => why,
    example: ['Line 1 must name the columns, separated by commas: the column sku is missing.'],
  },
  tooManyImports: {
    kind: 'throttled',
    detail: 'As many imports as may run at once are running: wait until one has ended.',
    retryAfterSeconds: 10,
  },
  /** `change` is the requested change of the stock, below 0; `free` is how many may be taken. */
  insufficientStock: {
    kind: 'rule',
    detail: (free: number, change: number) =>
      `There are ${free} that are not reserved for orders: ${-change} can't be taken.`,
    example: [2, -3],
  },
  stockReserved: {
    kind: 'conflict',
    detail: (sku: string, reserved: number) =>
      `Orders have reserved ${reserved} of ${sku}: archive it, or cancel or ship those orders first.`,
    example: ['MUG-0001', 2],
  },
  /** Judged by the bytes, whatever the `Content-Type` says. */
  pictureNotSupported: {
    kind: 'media-type',
    detail: 'The body is no picture that is taken here: a PNG, JPEG, WebP or AVIF.',
  },
  pictureUnreadable: { kind: 'rule', detail: 'The picture is damaged, or ends too early.' },
  pictureTooLarge: {
    kind: 'rule',
    detail: (width: number, height: number, megapixels: number) =>
      `The picture has ${width} × ${height} pixels: at most ${megapixels} million are taken of its kind, and 16,000 on each side.`,
    example: [60_000, 60_000, 50],
  },
  tooManyPictures: {
    kind: 'rule',
    detail: (most: number) => `A product has at most ${most} pictures.`,
    example: [20],
  },
  tooManyUploads: { kind: 'throttled', detail: 'You have uploaded too many pictures today.', retryAfterSeconds: 3600 },
  variantRequired: {
    kind: 'rule',
    detail:
      'Each variant of the product has its own stock: name one, as in /v1/products/{id}/variants/{variantId}/stock.',
  },
  variantExists: {
    kind: 'conflict',
    detail: (sku: string) =>
      `The variant ${sku} has these values. A product without options is its own only variant: give it options first.`,
    example: ['MUG-0001-S'],
  },
  tooManyVariants: {
    kind: 'rule',
    detail: (most: number) => `A product has ${most} variants at most.`,
    example: [100],
  },
  lastVariant: {
    kind: 'rule',
    detail: 'It is the only active variant: archive or delete the product instead.',
  },
  isOwnVariant: {
    kind: 'rule',
    detail: 'The product has no options and is its own variant: change the product.',
  },
  optionInUse: {
    kind: 'conflict',
    detail: (sku: string, why: string) => `The variant ${sku} does not fit these options: ${why}.`,
    example: ['MUG-0001-S', 'must have a value that the option Size has'],
  },
});

/** Field errors that only the catalog service can detect. `pointer` is the place of the field. */
export const catalogFields = {
  unknownCategory: (pointer: string, place: FieldError['in'] = 'body'): FieldError => ({
    pointer,
    in: place,
    code: 'unknown_category',
    message: 'There is no such category.',
  }),
  unknownPicture: (pointer: string): FieldError =>
    bodyField(pointer, 'unknown_picture', 'This product has no such uploaded picture: upload it to this product.'),
  pictureOfProduct: (pointer: string): FieldError =>
    bodyField(pointer, 'picture_of_product', 'An uploaded picture is deleted with its product: name another address.'),
  unknownProduct: (pointer: string): FieldError =>
    bodyField(pointer, 'unknown_product', 'There is no such product, or it is this one.'),
  /** `why` says what the values of a variant must be. */
  unfitValues: (pointer: string, why: string): FieldError => bodyField(pointer, 'unfit_values', why),
  /** `currency` is the currency of the shop. */
  currencyNotSupported: (pointer: string, currency: string): FieldError =>
    bodyField(pointer, 'currency_not_supported', `Prices of this shop are in ${currency}.`),
};
