import type { Order } from '@storefront/client';
import { expect, it } from 'vitest';
import { nameOfLine } from '../src/pages/orders/parts-of-order.ts';

it('has a name for every line, which is a link', () => {
  const refused = { productId: 'prod_pot', sku: null, name: null, values: [] as string[] } as Order['lines'][number];
  expect(nameOfLine(refused)).toBe('prod_pot');
  expect(nameOfLine({ ...refused, sku: 'POT-1', values: ['sand'] })).toBe('POT-1 (sand)');
  expect(nameOfLine({ ...refused, sku: 'POT-1', name: 'Teapot', values: ['sand', 'large'] })).toBe(
    'Teapot (sand, large)',
  );
});
