import type { Product, ProductVariant } from '@storefront/client';
import { api } from '../../api/client.ts';
import { money, number, parseAmount, typedAmount } from '../../format.ts';
import { t, wordFor } from '../../language/index.ts';
import { Action } from '../../parts/action.tsx';
import { Badge, Card, Row } from '../../parts/basics.tsx';
import forms from '../../parts/form.module.css';
import { Choice, MoneyField, TextField, Two, type Form } from '../../parts/form.tsx';
import { changesOf, saveOver } from '../../shell/save-over.ts';
import css from './catalog.module.css';

/** The variants of a product. The one of a product without options is the product, and is changed with it. */
export function Variants({ product, may }: { product: Product; may: boolean }) {
  const hasOptions = product.options.length > 0;
  return (
    <Card
      title={t.catalog.variants}
      actions={
        may && (
          <Row>
            <Options product={product} />
            {hasOptions && <AddVariant product={product} />}
          </Row>
        )
      }
    >
      <table className={forms.lines}>
        <thead>
          <tr>
            <th scope="col">SKU</th>
            <th scope="col">{product.options.map(({ name }) => name).join(', ') || t.catalog.variant}</th>
            <th scope="col">{t.settings.price}</th>
            <th scope="col">{t.catalog.stock}</th>
            {may && <th scope="col">{t.more}</th>}
          </tr>
        </thead>
        <tbody>
          {product.variants.map((variant) => (
            <tr key={variant.id}>
              <td className="mono">{variant.sku}</td>
              <td>
                {nameOf(variant)} {variant.status === 'archived' && <Badge value="archived" />}
              </td>
              <td className={css.price}>{money(variant.price ?? product.price)}</td>
              <td>{number(variant.stock)}</td>
              {may && (
                <td>
                  <Row>
                    <ChangeStock product={product} variant={variant} />
                    {hasOptions && <ChangeVariant product={product} variant={variant} />}
                    {product.variants.length > 1 && <DeleteVariant product={product} variant={variant} />}
                  </Row>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

const nameOf = ({ values }: ProductVariant) => values.join(', ') || '–';

interface OfVariant {
  readonly product: Product;
  readonly variant: ProductVariant;
}

interface Values {
  sku: string;
  values: readonly string[];
  price: string;
  tradePrice: string;
  status: ProductVariant['status'];
}

function fieldsOf({ values, set }: Pick<Form<Values>, 'values' | 'set'>, { options, price: { currency } }: Product) {
  return (
    <>
      <TextField label="SKU" value={values.sku} onChange={(sku) => set('sku', sku)} required pointer="/sku" />
      <Two>
        {options.map((option, at) => (
          <Choice
            key={option.name}
            label={option.name}
            value={values.values[at] ?? ''}
            onChange={(value) => set('values', values.values.with(at, value))}
            choices={option.values.map((value) => [value, value] as const)}
            pointer="/values"
          />
        ))}
        <MoneyField
          label={t.settings.price}
          hint={t.catalog.priceOfProduct}
          currency={currency}
          value={values.price}
          onChange={(price) => set('price', price)}
          pointer="/price"
        />
        <MoneyField
          label={t.catalog.tradePrice}
          hint={t.catalog.priceOfProduct}
          currency={currency}
          value={values.tradePrice}
          onChange={(price) => set('tradePrice', price)}
          pointer="/tradePrice"
        />
        <Choice
          label={t.status}
          value={values.status}
          onChange={(status) => set('status', status)}
          choices={(['active', 'archived'] as const).map((one) => [one, wordFor(one)] as const)}
          pointer="/status"
        />
      </Two>
    </>
  );
}

const priceOf = (text: string, currency: string) =>
  text === '' ? null : { amount: parseAmount(text, currency) ?? -1, currency };

function bodyOf({ sku, values, price, tradePrice, status }: Values, currency: string) {
  return {
    sku,
    values: [...values],
    price: priceOf(price, currency),
    tradePrice: priceOf(tradePrice, currency),
    status,
  };
}

function AddVariant({ product }: { product: Product }) {
  const { id, options, sku, price } = product;
  const initial: Values = {
    sku: `${sku}-${product.variants.length + 1}`,
    values: options.map(({ values }) => values[0] ?? ''),
    price: '',
    tradePrice: '',
    status: 'active',
  };
  const body = (values: Values) => bodyOf(values, price.currency);
  return (
    <Action
      title={t.catalog.addVariant}
      icon="plus"
      initial={initial}
      fields={(form) => fieldsOf(form, product)}
      run={(values) => api.products.addVariant({ params: { id }, body: body(values) }, { of: product })}
      snippet={(values) => ({ area: 'products', id: 'addVariant', input: { params: { id }, body: body(values) } })}
    />
  );
}

function ChangeVariant({ product, variant }: OfVariant) {
  const params = { id: product.id, variantId: variant.id };
  const { currency } = product.price;
  const typed: Values = {
    sku: variant.sku,
    values: variant.values,
    price: variant.price ? typedAmount(variant.price) : '',
    tradePrice: variant.tradePrice ? typedAmount(variant.tradePrice) : '',
    status: variant.status,
  };
  // The product is read again, with another version, while the dialog is open: what is typed belongs to this one.
  const initial = { ...typed, read: product, former: bodyOf(typed, currency) };
  const body = (values: typeof initial) => changesOf(values.former, bodyOf(values, currency));
  return (
    <Action
      title={t.change}
      verb={t.save}
      initial={initial}
      fields={(form) => fieldsOf(form, product)}
      run={async (values) => {
        const change = body(values);
        if (Object.keys(change).length === 0) return null;
        return saveOver(
          values.read,
          change,
          (body, of) => api.products.changeVariant({ params, body }, { of }),
          ({ variants }) => variants.find(({ id }) => id === variant.id) ?? {},
        );
      }}
      snippet={(values) => ({ area: 'products', id: 'changeVariant', input: { params, body: body(values) } })}
    />
  );
}

function DeleteVariant({ product, variant }: OfVariant) {
  return (
    <Action
      title={t.delete}
      tone="danger"
      initial={{}}
      fields={() => <p>{t.catalog.deleteVariantWhy(nameOf(variant))}</p>}
      run={() => api.products.deleteVariant({ params: { id: product.id, variantId: variant.id } }, { of: product })}
    />
  );
}

function ChangeStock({ product, variant }: OfVariant) {
  return (
    <Action
      title={t.catalog.changeStock}
      verb={t.save}
      initial={{ change: '', reason: '' }}
      fields={({ values, set }) => (
        <>
          <TextField
            label={t.catalog.difference}
            hint={t.catalog.differenceHint(variant.stock, variant.stock + (Number(values.change) || 0))}
            value={values.change}
            onChange={(change) => set('change', change)}
            required
            pointer="/change"
          />
          <TextField
            label={t.reason}
            value={values.reason}
            onChange={(reason) => set('reason', reason)}
            pointer="/reason"
          />
        </>
      )}
      run={({ change, reason }) =>
        api.products.changeVariantStock({
          params: { id: product.id, variantId: variant.id },
          body: { change: Number(change), ...(reason && { reason }) },
        })
      }
    />
  );
}

const most = 3;
const split = (text: string) => text.split(',').flatMap((value) => value.trim() || []);

/** In what the variants differ, such as size and colour. */
function Options({ product }: { product: Product }) {
  const { id, options } = product;
  const rows = Array.from({ length: most }, (_, at) => ({
    name: options[at]?.name ?? '',
    values: options[at]?.values.join(', ') ?? '',
  }));
  const body = (values: typeof rows) => ({
    options: values.flatMap((row) => (row.name.trim() ? [{ name: row.name.trim(), values: split(row.values) }] : [])),
  });
  return (
    <Action
      title={t.catalog.options}
      verb={t.save}
      // With the product that they are typed over, whatever is read meanwhile.
      initial={{ rows, read: product }}
      fields={({ values, set }) => (
        <>
          <p>{t.catalog.optionsWhy}</p>
          {values.rows.map((row, at) => (
            // There are always three, in this order.
            // oxlint-disable-next-line no-array-index-key
            <Two key={at}>
              <TextField
                label={`${t.name} ${at + 1}`}
                value={row.name}
                onChange={(name) => set('rows', values.rows.with(at, { ...row, name }))}
                pointer={`/options/${at}/name`}
              />
              <TextField
                label={`${t.catalog.optionValues} ${at + 1}`}
                value={row.values}
                onChange={(text) => set('rows', values.rows.with(at, { ...row, values: text }))}
                pointer={`/options/${at}/values`}
              />
            </Two>
          ))}
        </>
      )}
      run={({ rows, read }) =>
        saveOver(read, body(rows), (change, of) => api.products.changeProduct({ params: { id }, body: change }, { of }))
      }
      snippet={(values) => ({
        area: 'products',
        id: 'changeProduct',
        input: { params: { id }, body: body(values.rows) },
      })}
    />
  );
}
