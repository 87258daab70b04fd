import { newId, type catalogOperations } from '@storefront/contracts';
import { eventually, onePixel } from '@storefront/testing';
import { expectStatus } from '../system/people.ts';
import { id, type Id, type RowsOf } from './row.ts';
import { newProduct, type Fixtures } from './fixtures.ts';

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
const sizes = Array.from({ length: 50 }, (_, index) => `${index}`);
let size = 0;
// A product has each value once, and several callers add a variant to the same product.
const newVariant = () => ({
  sku: newProduct().sku,
  values: [sizes[(size += 1) % sizes.length]],
  price: { amount: 1799, currency: 'EUR' },
  tradePrice: { amount: 899, currency: 'EUR' },
  stock: 1,
  weight: 300,
  image: 'https://images.example.com/m.jpg',
  status: 'active',
});

const variedProduct = () => ({
  ...wholeProduct(),
  stock: 0,
  options: [{ name: 'Size', values: sizes }],
  variants: [newVariant(), newVariant()],
});

const category = id('cat', async ({ system, admin: { token } }) => {
  const made = await expectStatus(system.call('POST', '/v1/categories', { token, body: newCategory() }), 201);
  return made.id as string;
});
const product = id('prod', async ({ system, admin: { token } }) => {
  const made = await expectStatus(system.call('POST', '/v1/products', { token, body: wholeProduct() }), 201);
  return made.id as string;
});
const uploaded: Id = {
  async own(fixtures, who) {
    const { system, admin } = fixtures;
    const of = String(await product.own(fixtures, who));
    const sent = { token: admin.token, raw: onePixel, headers: { 'content-type': 'image/png' } };
    const made = await expectStatus(system.call('POST', `/v1/products/${of}/images`, sent), 201);
    return [of, made.id as string];
  },
  random: () => [newId('prod'), newId('img')],
  missing: 'not_found',
};
const varied = id('prod', async ({ system, admin: { token } }) => {
  const made = await expectStatus(system.call('POST', '/v1/products', { token, body: variedProduct() }), 201);
  return made.id as string;
});
const variant: Id = {
  own: async ({ system, admin: { token } }) => {
    const made = await expectStatus(system.call('POST', '/v1/products', { token, body: variedProduct() }), 201);
    return [made.id, made.variants[0].id] as string[];
  },
  random: () => [newId('prod'), newId('var')],
  missing: 'not_found',
};
// Two imports run at once.
const importsEnd = ({ system }: Fixtures) =>
  eventually(
    async () => (await system.database('catalog').collection('imports').countDocuments({ finishedAt: null })) === 0,
    'the end of all imports',
  );
const productImport = id('imp', async (fixtures) => {
  const { system, admin } = fixtures;
  const call = { token: admin.token, body: [wholeProduct()] };
  const made = await expectStatus(system.call('POST', '/v1/products/imports', call), 202);
  await importsEnd(fixtures);
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
  createProduct: { access: 'staff', roles: ['catalog'], ok: 201, body: variedProduct },
  changeProduct: { access: 'staff', roles: ['catalog'], ok: 200, id: product, body: wholeProduct },
  deleteProduct: { access: 'staff', roles: ['catalog'], ok: 204, id: product },
  changeStock: {
    access: 'staff',
    roles: ['catalog'],
    ok: 200,
    id: product,
    body: () => ({ change: 1, reason: 'counted again' }),
  },
  addVariant: { access: 'staff', roles: ['catalog'], ok: 201, id: varied, body: newVariant },
  changeVariant: { access: 'staff', roles: ['catalog'], ok: 200, id: variant, body: newVariant },
  deleteVariant: { access: 'staff', roles: ['catalog'], ok: 204, id: variant },
  changeVariantStock: {
    access: 'staff',
    roles: ['catalog'],
    ok: 200,
    id: variant,
    body: () => ({ change: 1, reason: 'counted again' }),
  },
  importProducts: {
    access: 'staff',
    roles: ['catalog'],
    ok: 202,
    body: () => [variedProduct()],
    query: 'dryRun=true',
    after: (_who, _body, fixtures) => importsEnd(fixtures),
  },
  listProductImports: { access: 'staff', roles: ['catalog'], ok: 200 },
  getProductImport: { access: 'staff', roles: ['catalog'], ok: 200, id: productImport },
  listImportedRows: { access: 'staff', roles: ['catalog'], ok: 200, id: productImport },
  exportRefusedRows: { access: 'staff', roles: ['catalog'], ok: 200, id: productImport },
  exportProducts: { access: 'staff', roles: ['catalog', 'marketing', 'sales', 'support'], ok: 200 },
  getProductPicture: { access: 'public', ok: 200, id: picture },
  uploadProductPicture: {
    access: 'staff',
    roles: ['catalog'],
    ok: 201,
    id: product,
    picture: () => onePixel,
    query: 'alt=A%20mug',
  },
  deleteProductPicture: { access: 'staff', roles: ['catalog'], ok: 204, id: uploaded },
};
