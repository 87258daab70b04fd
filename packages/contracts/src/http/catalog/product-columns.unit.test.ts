import { expect, it } from 'vitest';
import { optionColumns, productColumns } from './product-columns.ts';
import { productFields } from './products.ts';
import { mostOptions, variantFields } from './variants.ts';

it('has a column for each field of a product and of a variant, and for each option', () => {
  const fieldsOf = (row: 'product' | 'variant') => new Set(productColumns.map((column) => column[row]?.field ?? null));
  const fields = [...Object.keys(productFields), 'taxClass', 'weight', 'quantityPrices', 'options'];
  expect(fieldsOf('product')).toEqual(new Set([...fields, null]));
  expect(fieldsOf('variant')).toEqual(new Set([...Object.keys(variantFields), 'variantOf', null]));
  expect(optionColumns).toHaveLength(mostOptions);
});
