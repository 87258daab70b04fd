import type { Product } from '@storefront/client';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { parseAmount, typedAmount } from '../../format.ts';
import { t, wordFor } from '../../language/index.ts';
import { act } from '../../parts/action.tsx';
import { sayProblem } from '../../parts/toasts.tsx';
import css from '../../parts/table.module.css';
import { saveOnTop } from '../../shell/save-over.ts';

export const statuses = ['draft', 'active', 'archived'] as const;

// A row of a list has no version of its own: the product is read first, so that a change of somebody else is seen.
async function change(product: Product, body: { status?: Product['status']; price?: Product['price'] }): Promise<void> {
  await act(product.name, async () => {
    const read = await api.products.getProduct({ params: { id: product.id } });
    return saveOnTop(product, read, body, (part, of) =>
      api.products.changeProduct({ params: { id: product.id }, body: part }, { of }),
    );
  });
}

export function StatusCell({ product }: { product: Product }) {
  return (
    <select
      className={css.edit}
      aria-label={`${t.status}: ${product.name}`}
      value={product.status}
      onChange={({ target: { value } }) => void change(product, { status: value as Product['status'] })}
    >
      {statuses.map((status) => (
        <option key={status} value={status}>
          {wordFor(status)}
        </option>
      ))}
    </select>
  );
}

interface EditableProps {
  readonly label: string;
  readonly value: string;
  readonly save: (typed: string) => void;
}

/** A cell that is saved with Enter or when one leaves it, and not with Escape. */
function Editable({ label, value, save }: EditableProps) {
  const [typed, setTyped] = useState(value);
  const box = useRef<HTMLInputElement>(null);
  // What somebody is typing stays, whoever else has changed the value meanwhile.
  useEffect(() => {
    if (document.activeElement !== box.current) setTyped(value);
  }, [value]);
  return (
    <input
      ref={box}
      className={css.edit}
      aria-label={label}
      inputMode="decimal"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => typed !== value && save(typed)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') setTyped(value);
      }}
    />
  );
}

export function PriceCell({ product }: { product: Product }) {
  const { currency } = product.price;
  return (
    <>
      <Editable
        label={`${t.settings.price}: ${product.name}`}
        value={typedAmount(product.price)}
        save={(typed) => {
          const amount = parseAmount(typed, currency);
          if (amount === null) sayProblem(new Error(t.catalog.noAmount));
          else void change(product, { price: { amount, currency } });
        }}
      />{' '}
      {currency}
    </>
  );
}

/** The stock is changed by the difference, so that what is sold meanwhile is not undone. */
export function StockCell({ product }: { product: Product }) {
  const [variant, ...more] = product.variants;
  // The stock of several variants is counted for each of them, on the page of the product.
  if (!variant || more.length > 0) return product.stock;
  return (
    <Editable
      label={`${t.catalog.stock}: ${product.name}`}
      value={String(product.stock)}
      save={(typed) => {
        const next = Number(typed);
        if (!/^\d{1,9}$/.test(typed.trim())) sayProblem(new Error(t.catalog.noCount));
        else
          void act(product.name, () =>
            api.products.changeStock({ params: { id: product.id }, body: { change: next - product.stock } }),
          );
      }}
    />
  );
}
