import { expect, it } from 'vitest';
import { productColumns } from './product-columns.ts';
import { productFields } from './products.ts';

it('has a column for each field of a product', () => {
  const fields = productColumns.map(({ field }) => field);
  expect(fields.toSorted()).toEqual(
    [...(Object.keys(productFields) as typeof fields), 'taxClass', 'weight'].toSorted(),
  );
});
