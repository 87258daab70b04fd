import type { Product as ProductBody } from '@storefront/client';
import { useParams } from '@tanstack/react-router';
import { api, mayCall } from '../../api/client.ts';
import { useRead } from '../../api/reads.ts';
import { money, number, parseAmount, typedAmount } from '../../format.ts';
import { t, wordFor } from '../../language/index.ts';
import { Action } from '../../parts/action.tsx';
import { Badge, Card, Columns, Facts, Loading, PageHead, Problem, Stack } from '../../parts/basics.tsx';
import { Choice, MoneyField, TextField, Two, useFormOf } from '../../parts/form.tsx';
import { SaveForm } from '../../parts/save-form.tsx';
import { SnippetMenu } from '../../parts/snippet-menu.tsx';
import { changesOf, saveOver } from '../../shell/save-over.ts';
import { useRole } from '../../shell/session.ts';
import { statuses } from './cells.tsx';
import { Pictures } from './pictures.tsx';
import { Variants } from './variants.tsx';

export function Product() {
  const { id = '' } = useParams({ strict: false });
  const role = useRole();
  const { data: product, error } = useRead(api.products.getProduct, { params: { id } });
  if (error) return <Problem error={error} />;
  if (!product) return <Loading lines={10} />;
  const may = mayCall('changeProduct', role);
  return (
    <>
      <PageHead
        title={product.name}
        badges={<Badge value={product.status} />}
        sub={<span className="mono">{product.sku}</span>}
      >
        {may && (
          <Action
            title={t.delete}
            tone="danger"
            initial={{}}
            fields={() => <p>{t.catalog.deleteWhy(product.name)}</p>}
            run={() => api.products.deleteProduct({ params: { id } }, { of: product })}
          />
        )}
      </PageHead>
      <Columns>
        <Stack>
          {may ? (
            <Editor key={product.id} product={product} />
          ) : (
            <Card title={t.catalog.product}>
              <p>{product.description}</p>
            </Card>
          )}
          <Pictures product={product} may={may} />
          <Variants product={product} may={may} />
        </Stack>
        <Card title={t.catalog.more}>
          <Facts
            of={[
              [t.settings.price, money(product.price)],
              [t.catalog.tradePrice, product.tradePrice ? money(product.tradePrice) : null],
              [t.catalog.stock, number(product.stock)],
              [t.catalog.reserved, product.reserved === undefined ? undefined : number(product.reserved)],
              [t.catalog.taxClass, wordFor(product.taxClass)],
              ['Slug', product.slug],
              ...Object.entries(product.attributes).map(([name, value]) => [name, String(value)] as const),
            ]}
          />
        </Card>
      </Columns>
    </>
  );
}

interface Values {
  name: string;
  sku: string;
  description: string;
  price: string;
  tradePrice: string;
  status: ProductBody['status'];
}

const valuesOf = (product: ProductBody): Values => ({
  name: product.name,
  sku: product.sku,
  description: product.description ?? '',
  price: typedAmount(product.price),
  tradePrice: product.tradePrice ? typedAmount(product.tradePrice) : '',
  status: product.status,
});

function stateOf({ name, sku, description, price, tradePrice, status }: Values, currency: string) {
  const amount = (text: string) => ({ amount: parseAmount(text, currency) ?? -1, currency });
  return {
    name,
    sku,
    description: description || null,
    price: amount(price),
    tradePrice: tradePrice === '' ? null : amount(tradePrice),
    status,
  };
}

function Editor({ product }: { product: ProductBody }) {
  const { form, of: read } = useFormOf(product, valuesOf);
  const { currency } = read.price;
  const { values, set } = form;
  const bodyOf = () => changesOf(stateOf(valuesOf(read), currency), stateOf(values, currency));
  const save = () =>
    saveOver(read, bodyOf(), (body, of) => api.products.changeProduct({ params: { id: product.id }, body }, { of }));
  return (
    <Card
      title={t.catalog.product}
      actions={
        <SnippetMenu
          snippet={() => ({
            area: 'products',
            id: 'changeProduct',
            input: { params: { id: product.id }, body: bodyOf() },
          })}
        />
      }
    >
      <SaveForm form={form} what={product.name} save={save}>
        <TextField label={t.name} value={values.name} onChange={(name) => set('name', name)} required pointer="/name" />
        <TextField label="SKU" value={values.sku} onChange={(sku) => set('sku', sku)} required pointer="/sku" />
        <TextField
          label={t.catalog.description}
          rows={5}
          value={values.description}
          onChange={(description) => set('description', description)}
          pointer="/description"
        />
        <Two>
          <MoneyField
            label={t.settings.price}
            currency={currency}
            value={values.price}
            onChange={(price) => set('price', price)}
            required
            pointer="/price"
          />
          <MoneyField
            label={t.catalog.tradePrice}
            currency={currency}
            value={values.tradePrice}
            onChange={(price) => set('tradePrice', price)}
            pointer="/tradePrice"
          />
          <Choice
            label={t.status}
            value={values.status}
            onChange={(status) => set('status', status)}
            choices={statuses.map((one) => [one, wordFor(one)] as const)}
            pointer="/status"
          />
        </Two>
      </SaveForm>
    </Card>
  );
}
