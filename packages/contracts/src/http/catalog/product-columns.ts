import type { z } from 'zod';
import { productFields } from './products.ts';
import { sellingFields } from './selling.ts';

/**
 * What the cells of a column hold. `text`: the value itself. `whole`: a whole number. `amount`: an amount in major units of
 * the shop's currency. `categories`: slugs or ids. `pictures`: addresses, each with its text after a space. Lists are
 * separated by `|`. `attributes`: names and values, joined by `=`.
 */
type ColumnKind = 'text' | 'whole' | 'amount' | 'categories' | 'pictures' | 'attributes';

export interface ProductColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The field of the product that the column is. */
  readonly field: keyof typeof productFields | 'taxClass' | 'weight';
  /** The value in JSON; null clears the field where it may be null. */
  readonly schema: z.ZodType;
  /** What a cell must be, to follow `is not`. An amount's is made of the currency. */
  readonly needs: string;
  /** For the documentation. */
  readonly holds: string;
}

/**
 * The columns of a file of products, in the order of an export. Import, export, preview and documentation follow from this
 * table: to add a column, add an entry. A field of a product without one fails the test beside. Variants, and
 * what else says how a product is sold, are not in files.
 */
export const productColumns = [
  {
    name: 'sku',
    kind: 'text',
    field: 'sku',
    schema: productFields.sku,
    needs: 'an SKU of letters, digits and . _ / - (64 at most)',
    holds: 'which product it is; required',
  },
  {
    name: 'name',
    kind: 'text',
    field: 'name',
    schema: productFields.name,
    needs: 'a line of 1 to 200 characters',
    holds: 'required for a new product',
  },
  {
    name: 'slug',
    kind: 'text',
    field: 'slug',
    schema: productFields.slug,
    needs: 'a slug of lower-case letters and digits, joined by hyphens (100 at most)',
    holds: 'the name in web addresses; made from the name of a new product where it is empty',
  },
  {
    name: 'description',
    kind: 'text',
    field: 'description',
    schema: productFields.description,
    needs: 'a text of 5,000 characters at most',
    holds: 'may have several lines',
  },
  {
    name: 'categories',
    kind: 'categories',
    field: 'categoryIds',
    schema: productFields.categoryIds,
    needs: 'a list of 20 categories at most',
    holds: 'slugs or ids of categories, separated by `|`',
  },
  {
    name: 'attributes',
    kind: 'attributes',
    field: 'attributes',
    schema: productFields.attributes,
    needs: 'a list of 30 attributes at most, such as `colour=blue|organic=true`',
    holds:
      'attributes, separated by `|`: the name, `=`, and a text, a number, or `true` or `false`; a text that looks like one of those in double quotes',
  },
  {
    name: 'images',
    kind: 'pictures',
    field: 'images',
    schema: productFields.images,
    needs: 'a list of 20 addresses at most',
    holds:
      'addresses of pictures, separated by `|`, each with the text for those who do not see it after a space; without one a picture keeps the text that it has',
  },
  {
    name: 'price',
    kind: 'amount',
    field: 'price',
    schema: productFields.price,
    needs: 'an amount',
    holds: "in major units (`19.99` or `19,99`) of the shop's currency; required for a new product",
  },
  {
    name: 'tradePrice',
    kind: 'amount',
    field: 'tradePrice',
    schema: productFields.tradePrice,
    needs: 'an amount',
    holds: 'the price for trade accounts, as `price`',
  },
  {
    name: 'stock',
    kind: 'whole',
    field: 'stock',
    schema: productFields.stock,
    needs: 'a whole number, 0 or more (1,000,000,000 at most)',
    holds: 'the stock as counted',
  },
  {
    name: 'status',
    kind: 'text',
    field: 'status',
    schema: productFields.status,
    needs: 'draft, active or archived',
    holds: '`draft`, `active` or `archived`',
  },
  {
    name: 'taxClass',
    kind: 'text',
    field: 'taxClass',
    schema: sellingFields.taxClass,
    needs: 'standard, reduced or zero',
    holds: '`standard`, `reduced` or `zero`',
  },
  {
    name: 'weight',
    kind: 'whole',
    field: 'weight',
    schema: sellingFields.weight,
    needs: 'a whole number of grams',
    holds: 'in grams',
  },
] as const satisfies readonly ProductColumn[];

/** Beside the columns of products a file may have this one, which is not read: that of a file of refused rows. */
export const reasonColumn = 'reason';
