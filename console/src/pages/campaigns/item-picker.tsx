import type { CategoryNode, ItemSelector } from '@storefront/client';
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

/** Which items a campaign is for. Products come with their names, since the API takes and answers ids alone. */
export interface Items {
  readonly products: readonly Named[];
  readonly excluded: readonly Named[];
  readonly categories: readonly string[];
}
interface Named {
  readonly id: string;
  readonly name: string;
}

export const allItems: Items = { products: [], excluded: [], categories: [] };

/** The selector of a request. */
export function selectorOf({ products, excluded, categories }: Items): ItemSelector {
  const ids = (named: readonly Named[]) => named.map(({ id }) => id);
  return {
    ...(products.length > 0 && { products: ids(products) }),
    ...(categories.length > 0 && { categories: [...categories] }),
    ...(excluded.length > 0 && { excludedProducts: ids(excluded) }),
  };
}

const flatten = (node: CategoryNode): CategoryNode[] => [node, ...(node.children ?? []).flatMap(flatten)];

/** All categories, each after the one that it is in. */
function useCategories(): { readonly all: readonly CategoryNode[]; readonly error: unknown } {
  const { data, error } = useRead(api.categories.listCategories, { query: { view: 'tree' as const, limit: 100 } });
  return { all: (data?.data ?? []).flatMap(flatten), error };
}

/** Whether a product is among the items, as the shop decides it: a category stands for all that is below it too. */
export function useIsAmong(): (
  product: { readonly id: string; readonly categoryIds: readonly string[] },
  items: Items,
) => boolean {
  const { all } = useCategories();
  return ({ id, categoryIds }, { products, excluded, categories }) => {
    if (excluded.some((one) => one.id === id)) return false;
    if (products.length === 0 && categories.length === 0) return true;
    const within = new Set(all.filter((node) => categories.includes(node.id)).flatMap((node) => flatten(node)));
    return products.some((one) => one.id === id) || [...within].some((node) => categoryIds.includes(node.id));
  };
}

interface PickerProps {
  readonly title: string;
  readonly value: Items;
  readonly onChange: (value: Items) => void;
}

/** Categories in their tree and products by a search. Where nothing is chosen, all items count. */
export function ItemPicker({ title, value, onChange }: PickerProps) {
  return (
    <fieldset className={css.items}>
      <legend>{title}</legend>
      <Stack>
        {value.products.length + value.categories.length === 0 && <p className="muted">{t.campaigns.allItems}</p>}
        <Categories value={value.categories} onChange={(categories) => onChange({ ...value, categories })} />
        <Products
          label={t.campaigns.products}
          value={value.products}
          onChange={(products) => onChange({ ...value, products })}
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
  readonly value: readonly Named[];
  readonly onChange: (value: readonly Named[]) => void;
}

function Products({ label, value, onChange }: ProductsProps) {
  const [text, setText] = useState('');
  const q = text.trim();
  const { data, error } = useRead(
    api.products.listProducts,
    { query: { status: 'active' as const, limit: 6, ...(q && { q }) } },
    { enabled: q !== '' },
  );
  const found = q === '' ? [] : (data?.data ?? []).filter(({ id }) => !value.some((one) => one.id === id));
  return (
    <div role="group" aria-label={label}>
      <strong>{label}</strong>
      <Find label={`${t.campaigns.find}: ${label}`} value={text} onChange={setText} />
      {error && <Problem error={error} />}
      <Row>
        {found.map(({ id, name }) => (
          <Button key={id} icon="plus" onClick={() => (onChange([...value, { id, name }]), setText(''))}>
            {name}
          </Button>
        ))}
      </Row>
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
