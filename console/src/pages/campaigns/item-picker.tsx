import type { CategoryNode, Product } from '@storefront/client';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/reads.ts';
import { t } from '../../language/index.ts';
import { Button, Problem, Row, Stack } from '../../parts/basics.tsx';
import forms from '../../parts/form.module.css';
import { Check } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import table from '../../parts/table.module.css';
import css from './campaigns.module.css';
import { flatten, isAmong, isOfAll, type Item, type Items, type VariantOfCart } from './items.ts';

/** All categories, each after the one that it is in. */
function useCategories(): { readonly all: readonly CategoryNode[]; readonly error: unknown } {
  const { data, error } = useRead(api.categories.listCategories, { query: { view: 'tree' as const, limit: 100 } });
  return { all: (data?.data ?? []).flatMap(flatten), error };
}

/** Whether a variant of a product is among the items, as the shop decides it. */
export function useIsAmong(): (variant: VariantOfCart, items: Items) => boolean {
  const { all } = useCategories();
  return (variant, items) => isAmong(variant, items, all);
}

interface PickerProps {
  readonly title: string;
  readonly value: Items;
  readonly onChange: (value: Items) => void;
}

/** Categories in their tree, products and single variants by a search. Where nothing is chosen, all items count. */
export function ItemPicker({ title, value, onChange }: PickerProps) {
  return (
    <fieldset className={css.items}>
      <legend>{title}</legend>
      <Stack>
        {isOfAll(value) && <p className="muted">{t.campaigns.allItems}</p>}
        <Categories value={value.categories} onChange={(categories) => onChange({ ...value, categories })} />
        <Products
          label={t.campaigns.products}
          value={value.chosen}
          onChange={(chosen) => onChange({ ...value, chosen })}
        />
        <Products
          label={t.campaigns.excluded}
          value={value.excluded}
          onChange={(excluded) => onChange({ ...value, excluded })}
        />
      </Stack>
    </fieldset>
  );
}

function Categories({ value, onChange }: { value: readonly string[]; onChange: (value: readonly string[]) => void }) {
  const { all, error } = useCategories();
  const [text, setText] = useState('');
  if (error) return <Problem error={error} />;
  const path = (node: CategoryNode) => [...node.path.slice(0, -1), node.name].join(' / ');
  const found = all.filter((node) => path(node).toLowerCase().includes(text.trim().toLowerCase()));
  const ids = found.map(({ id }) => id);
  return (
    <div role="group" aria-label={t.catalog.categories}>
      <Row>
        <Find label={`${t.campaigns.find}: ${t.catalog.categories}`} value={text} onChange={setText} />
        <Button tone="quiet" onClick={() => onChange([...new Set([...value, ...ids])])}>
          {t.campaigns.all}
        </Button>
        <Button tone="quiet" onClick={() => onChange(value.filter((id) => !ids.includes(id)))}>
          {t.none}
        </Button>
      </Row>
      <div className={css.categories}>
        {found.map((node) => (
          <Check
            key={node.id}
            label={`${path(node)} (${node.productCount})`}
            checked={value.includes(node.id)}
            onChange={(isOn) => onChange(isOn ? [...value, node.id] : value.filter((id) => id !== node.id))}
          />
        ))}
      </div>
    </div>
  );
}

interface ProductsProps {
  readonly label: string;
  readonly value: readonly Item[];
  readonly onChange: (value: readonly Item[]) => void;
}

function Products({ label, value, onChange }: ProductsProps) {
  const [text, setText] = useState('');
  const q = text.trim();
  const { data, error } = useRead(
    api.products.listProducts,
    { query: { status: 'active' as const, limit: 6, ...(q && { q }) } },
    { enabled: q !== '' },
  );
  const found = q === '' ? [] : (data?.data ?? []);
  return (
    <div role="group" aria-label={label}>
      <strong>{label}</strong>
      <Find label={`${t.campaigns.find}: ${label}`} value={text} onChange={setText} />
      {error && <Problem error={error} />}
      {found.map((product) => (
        <Found
          key={product.id}
          product={product}
          chosen={value}
          choose={(item) => (onChange([...value, item]), setText(''))}
        />
      ))}
      <div className={table.chips}>
        {value.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            className={table.chip}
            aria-label={`${t.campaigns.remove}: ${name}`}
            onClick={() => onChange(value.filter((one) => one.id !== id))}
          >
            {name}
            <Icon name="close" size={13} />
          </button>
        ))}
      </div>
    </div>
  );
}

interface FoundProps {
  readonly product: Product;
  readonly chosen: readonly Item[];
  readonly choose: (item: Item) => void;
}

/** A product that was found, to choose it in all its variants, or single ones of several. */
function Found({ product: { id, name, variants }, chosen, choose }: FoundProps) {
  const isChosen = (id: string) => chosen.some((one) => one.id === id);
  const left = variants.filter((variant) => !isChosen(variant.id));
  if (isChosen(id)) return null;
  return (
    <div className={css.found}>
      <Button icon="plus" onClick={() => choose({ kind: 'product', id, name })}>
        {name}
      </Button>
      {variants.length > 1 && left.length > 0 && (
        <details>
          <summary>{t.campaigns.singleVariants}</summary>
          <Row>
            {left.map((variant) => (
              <Button
                key={variant.id}
                icon="plus"
                onClick={() =>
                  choose({ kind: 'variant', id: variant.id, name: `${name}: ${variant.values.join(', ')}` })
                }
              >
                {variant.values.join(', ')}
              </Button>
            ))}
          </Row>
        </details>
      )}
    </div>
  );
}

/** A search within a form: Enter does not send the form. */
function Find({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <input
      type="search"
      className={forms.input}
      aria-label={label}
      placeholder={t.campaigns.find}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
    />
  );
}
