import type { Product } from '@storefront/client';
import { api, mayCall } from '../../api/client.ts';
import { money, number, parseAmount } from '../../format.ts';
import { t, wordFor } from '../../language/index.ts';
import { Action, saveFile } from '../../parts/action.tsx';
import { Badge, Button, LinkButton, PageHead, Tabs } from '../../parts/basics.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { MoneyField, TextField } from '../../parts/form.tsx';
import css from '../../parts/table.module.css';
import { useRole } from '../../shell/session.ts';
import { PriceCell, StatusCell, StockCell, statuses } from './cells.tsx';

export function CatalogTabs({ current }: { current: string }) {
  const role = useRole();
  return (
    <Tabs
      label={t.pages.catalog}
      current={current}
      tabs={[
        ['/catalog', t.catalog.products],
        ['/catalog/categories', t.catalog.categories],
        ...(mayCall('importProducts', role) ? [['/catalog/import', t.catalog.import] as const] : []),
      ]}
    />
  );
}

export function Catalog() {
  const role = useRole();
  const may = mayCall('changeProduct', role);
  return (
    <>
      <PageHead title={t.pages.catalog} sub={t.catalog.sub}>
        <Button icon="download" onClick={() => void saveFile('products.csv', api.products.exportProducts.response({}))}>
          {t.orders.export}
        </Button>
        {may && (
          <LinkButton to="/catalog/import" icon="upload">
            {t.catalog.import}
          </LinkButton>
        )}
        {may && <NewProduct />}
      </PageHead>
      <CatalogTabs current="/catalog" />
      <DataTable<Product, Parameters<typeof api.products.listProducts>[0]>
        list={api.products.listProducts}
        label={t.catalog.products}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        linkOf={({ id }) => `/catalog/${id}`}
        columns={[
          { title: t.catalog.picture, cell: ({ images }) => <Thumb images={images} /> },
          { title: t.catalog.product, isName: true, cell: ({ name }) => name },
          { title: 'SKU', cell: ({ sku }) => <span className="mono">{sku}</span> },
          {
            title: t.status,
            cell: (product) => (may ? <StatusCell product={product} /> : <Badge value={product.status} />),
          },
          { title: t.catalog.variants, align: 'end', cell: ({ variants }) => number(variants.length) },
          {
            title: t.catalog.stock,
            align: 'end',
            cell: (product) => (may ? <StockCell product={product} /> : number(product.stock)),
          },
          {
            title: t.settings.price,
            align: 'end',
            cell: (product) => (may ? <PriceCell product={product} /> : money(product.price)),
          },
        ]}
        bulk={
          may
            ? statuses.map((status) => ({
                title: `${t.catalog.set}: ${wordFor(status)}`,
                whyNot: (product: Product) => (product.status === status ? t.catalog.already : null),
                run: (product: Product) => api.products.changeProduct({ params: { id: product.id }, body: { status } }),
              }))
            : []
        }
      />
    </>
  );
}

/** A picture of a product; those of other hosts are not loaded. */
export function Thumb({ images }: { images: Product['images'] }) {
  const [first] = images;
  const smallest = first?.sizes?.toSorted((one, other) => one.width - other.width)[0];
  const url = smallest?.url ?? first?.url;
  const isOwn = url !== undefined && URL.canParse(url) && new URL(url).pathname.startsWith('/v1/products/images/');
  // By its path: the API may be named otherwise than the console, such as 127.0.0.1.
  return isOwn ? (
    <img className={css.thumb} src={new URL(url).pathname} alt={first?.alt ?? ''} loading="lazy" />
  ) : (
    <span className={css.thumb} />
  );
}

function NewProduct() {
  return (
    <Action
      title={t.catalog.newProduct}
      tone="primary"
      icon="plus"
      initial={{ sku: '', name: '', price: '' }}
      fields={({ values, set }) => (
        <>
          <TextField
            label={t.name}
            value={values.name}
            onChange={(name) => set('name', name)}
            required
            pointer="/name"
          />
          <TextField label="SKU" value={values.sku} onChange={(sku) => set('sku', sku)} required pointer="/sku" />
          <MoneyField
            label={t.settings.price}
            currency="EUR"
            value={values.price}
            onChange={(price) => set('price', price)}
            required
            pointer="/price"
          />
        </>
      )}
      run={({ sku, name, price }) =>
        api.products.createProduct({
          body: { sku, name, status: 'draft', price: { amount: parseAmount(price, 'EUR') ?? -1, currency: 'EUR' } },
        })
      }
      snippet={({ sku, name, price }) => ({
        area: 'products',
        id: 'createProduct',
        input: { body: { sku, name, price: { amount: parseAmount(price, 'EUR'), currency: 'EUR' } } },
      })}
    />
  );
}
