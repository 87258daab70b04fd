import type { catalogOperations } from '@storefront/contracts';
import { expectStatus } from '../system/people.ts';
import { id, type Id, type RowsOf } from './row.ts';
import { newProduct } from './fixtures.ts';

const newCategory = () => ({
  name: 'Teapots',
  description: 'For tea.',
  parentId: null,
  position: 1,
  image: 'https://images.example.com/teapot.jpg',
  isActive: true,
});
const wholeProduct = () => ({
  ...newProduct(),
  description: 'For tea.',
  categoryIds: [],
  images: [{ url: 'https://images.example.com/mug.jpg', alt: 'A mug' }],
  status: 'active',
});

const category = id('cat', async ({ system, admin: { token } }) => {
  const made = await expectStatus(system.call('POST', '/v1/categories', { token, body: newCategory() }), 201);
  return made.id as string;
});
const product = id('prod', async ({ system, admin: { token } }) => {
  const made = await expectStatus(system.call('POST', '/v1/products', { token, body: wholeProduct() }), 201);
  return made.id as string;
});
const picture: Id = { own: () => 'blue-mug.svg', random: () => 'no-such-mug.svg', missing: 'route_not_found' };

export const catalogRows: RowsOf<typeof catalogOperations> = {
  listCategories: { access: 'public', roles: ['catalog', 'marketing', 'sales', 'support'], ok: 200 },
  getCategory: { access: 'public', roles: ['catalog', 'marketing', 'sales', 'support'], ok: 200, id: category },
  createCategory: { access: 'staff', roles: ['catalog'], ok: 201, body: newCategory },
  changeCategory: { access: 'staff', roles: ['catalog'], ok: 200, id: category, body: newCategory },
  deleteCategory: { access: 'staff', roles: ['catalog'], ok: 200, id: category },
  listProducts: { access: 'public', roles: ['catalog', 'marketing', 'sales', 'support'], ok: 200 },
  getProduct: { access: 'public', roles: ['catalog', 'marketing', 'sales', 'support'], ok: 200, id: product },
  createProduct: { access: 'staff', roles: ['catalog'], ok: 201, body: wholeProduct },
  changeProduct: { access: 'staff', roles: ['catalog'], ok: 200, id: product, body: wholeProduct },
  deleteProduct: { access: 'staff', roles: ['catalog'], ok: 204, id: product },
  changeStock: {
    access: 'staff',
    roles: ['catalog'],
    ok: 200,
    id: product,
    body: () => ({ change: 1, reason: 'counted again' }),
  },
  getProductPicture: { access: 'public', ok: 200, id: picture },
};
