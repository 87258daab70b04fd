import { z } from 'zod';
import { line } from '../common.ts';
import { productFields } from './products.ts';
import { sellingFields } from './selling.ts';
import { productOption, variantFields } from './variants.ts';

/**
 * What the cells of a column hold. `text`: the value itself. `whole`: a whole number. `amount`: an amount in major units of
 * the shop's currency. `prices`: quantities and amounts, joined by `=`. `categories`: slugs or ids. `pictures`: addresses, each
 * with its text after a space. Lists are separated by `|`. `attributes`: names and values, joined by `=`. `option`: a name and,
 * after `=`, a list of values.
 */
type CellKind = 'text' | 'whole' | 'amount' | 'prices' | 'categories' | 'pictures' | 'attributes' | 'option';

/** What a column holds in the rows of products, or in those of variants. */
interface ColumnUse<Field> {
  readonly kind: CellKind;
  /** The field of the product or variant that the column is, or is a part of. */
  readonly field: Field;
  /** The value in JSON; null clears the field where it may be null. */
  readonly schema: z.ZodType;
  /** What a cell must be, to follow `is not`. An amount's is made of the currency. */
  readonly needs: string;
}

type FieldOfProduct = keyof typeof productFields | 'taxClass' | 'weight' | 'quantityPrices' | 'options';

export interface ProductColumn {
  readonly name: string;
  /** Null where rows of products leave the column empty. */
  readonly product: ColumnUse<FieldOfProduct> | null;
  /** Null where rows of variants leave the column empty. */
  readonly variant: ColumnUse<keyof typeof variantFields | 'variantOf'> | null;
  /** For the documentation. */
  readonly holds: string;
}

const aSku = 'an SKU of letters, digits and . _ / - (64 at most)';
const aStock = 'a whole number, 0 or more (1,000,000,000 at most)';
const pricesByQuantity = 'a list of 10 prices by quantity at most, such as `10=9.99|100=8.99`';

/** An option in a file. Without values it has those of the rows of variants. */
const optionCell = z.strictObject({
  name: productOption.shape.name,
  values: productOption.shape.values.optional(),
});

/** The columns of options, in their order. */
export const optionColumns = ['option1', 'option2', 'option3'] as const;

/** The column of an option: its name in the row of the product, a value in those of variants. */
function optionColumn(name: (typeof optionColumns)[number]) {
  return {
    name,
    product: {
      kind: 'option',
      field: 'options',
      schema: optionCell,
      needs: 'the name of an option with up to 50 values, such as `Size=S|M`',
    },
    variant: { kind: 'text', field: 'values', schema: line(60), needs: 'a line of 1 to 60 characters' },
    holds:
      name === 'option1'
        ? 'in the row of a product an option with its values, such as `Size=S|M|L`; `Size` alone has those of its variants. In the row of a variant one of them'
        : `the ${name === 'option2' ? 'second' : 'third'} option, as \`option1\``,
  } as const satisfies ProductColumn;
}

/**
 * The columns of a file of products, in the order of an export. A row is of a product or, where `variantOf` names one, of a
 * variant of that product. Import, export, preview and documentation follow from this table: to add a column, add an entry. A field of
 * a product or variant without one fails the test beside. What else says how a product is sold is not in files.
 */
export const productColumns = [
  {
    name: 'sku',
    product: { kind: 'text', field: 'sku', schema: productFields.sku, needs: aSku },
    variant: { kind: 'text', field: 'sku', schema: variantFields.sku, needs: aSku },
    holds: 'which product or variant it is; required',
  },
  {
    name: 'variantOf',
    product: null,
    variant: { kind: 'text', field: 'variantOf', schema: productFields.sku, needs: aSku },
    holds: 'in the row of a variant the SKU of its product, behind whose row it stands',
  },
  {
    name: 'name',
    product: { kind: 'text', field: 'name', schema: productFields.name, needs: 'a line of 1 to 200 characters' },
    variant: null,
    holds: 'required for a new product',
  },
  ...optionColumns.map(optionColumn),
  {
    name: 'slug',
    product: {
      kind: 'text',
      field: 'slug',
      schema: productFields.slug,
      needs: 'a slug of lower-case letters and digits, joined by hyphens (100 at most)',
    },
    variant: null,
    holds: 'the name in web addresses; made from the name of a new product where it is empty',
  },
  {
    name: 'description',
    product: {
      kind: 'text',
      field: 'description',
      schema: productFields.description,
      needs: 'a text of 5,000 characters at most',
    },
    variant: null,
    holds: 'may have several lines',
  },
  {
    name: 'categories',
    product: {
      kind: 'categories',
      field: 'categoryIds',
      schema: productFields.categoryIds,
      needs: 'a list of 20 categories at most',
    },
    variant: null,
    holds: 'slugs or ids of categories, separated by `|`',
  },
  {
    name: 'attributes',
    product: {
      kind: 'attributes',
      field: 'attributes',
      schema: productFields.attributes,
      needs: 'a list of 30 attributes at most, such as `colour=blue|organic=true`',
    },
    variant: null,
    holds:
      'attributes, separated by `|`: the name, `=`, and a text, a number, or `true` or `false`; a text that looks like one of those in double quotes',
  },
  {
    name: 'images',
    product: {
      kind: 'pictures',
      field: 'images',
      schema: productFields.images,
      needs: 'a list of 20 addresses at most',
    },
    variant: { kind: 'text', field: 'image', schema: variantFields.image, needs: 'the address of a picture' },
    holds:
      'addresses of pictures, separated by `|`, each with the text for those who do not see it after a space; without one a picture keeps the text that it has. Of a variant one address',
  },
  {
    name: 'price',
    product: { kind: 'amount', field: 'price', schema: productFields.price, needs: 'an amount' },
    variant: { kind: 'amount', field: 'price', schema: variantFields.price, needs: 'an amount' },
    holds: "in major units (`19.99` or `19,99`) of the shop's currency; required for a new product",
  },
  {
    name: 'tradePrice',
    product: { kind: 'amount', field: 'tradePrice', schema: productFields.tradePrice, needs: 'an amount' },
    variant: { kind: 'amount', field: 'tradePrice', schema: variantFields.tradePrice, needs: 'an amount' },
    holds: 'the price for trade accounts, as `price`',
  },
  {
    name: 'quantityPrices',
    product: {
      kind: 'prices',
      field: 'quantityPrices',
      schema: sellingFields.quantityPrices,
      needs: pricesByQuantity,
    },
    variant: { kind: 'prices', field: 'quantityPrices', schema: variantFields.quantityPrices, needs: pricesByQuantity },
    holds: 'prices for trade accounts by quantity, separated by `|`, such as `10=9.99|100=8.99`',
  },
  {
    name: 'stock',
    product: { kind: 'whole', field: 'stock', schema: productFields.stock, needs: aStock },
    variant: { kind: 'whole', field: 'stock', schema: variantFields.stock, needs: aStock },
    holds: 'the stock as counted; of a product with variants each has its own',
  },
  {
    name: 'status',
    product: { kind: 'text', field: 'status', schema: productFields.status, needs: 'draft, active or archived' },
    variant: { kind: 'text', field: 'status', schema: variantFields.status, needs: 'active or archived' },
    holds: '`draft`, `active` or `archived`; of a variant `active` or `archived`',
  },
  {
    name: 'taxClass',
    product: { kind: 'text', field: 'taxClass', schema: sellingFields.taxClass, needs: 'standard, reduced or zero' },
    variant: null,
    holds: '`standard`, `reduced` or `zero`',
  },
  {
    name: 'weight',
    product: { kind: 'whole', field: 'weight', schema: sellingFields.weight, needs: 'a whole number of grams' },
    variant: { kind: 'whole', field: 'weight', schema: variantFields.weight, needs: 'a whole number of grams' },
    holds: 'in grams',
  },
] as const satisfies readonly ProductColumn[];

/** Beside the columns of products a file may have this one, which is not read: that of a file of refused rows. */
export const reasonColumn = 'reason';
