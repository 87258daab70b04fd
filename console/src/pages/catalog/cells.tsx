import type { Product } from '@storefront/client';
import { useEffect, useRef, useState, type ReactNode } from 'react';
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

interface ChangeableProps {
  readonly label: string;
  /** What the cell shows. */
  readonly value: string;
  /** The field in which it is changed, and which says when it is left. */
  readonly children: (leave: (by: 'key' | 'pointer') => void) => ReactNode;
}

/**
 * A cell that has its field only while somebody changes it: the fields of a hundred rows take longer to lay out than all that the rows
 * show. Whoever leaves the field by a key is at the cell again.
 */
function Changeable({ label, value, children }: ChangeableProps) {
  const [is, setIs] = useState<'shown' | 'changed' | 'left by key'>('shown');
  if (is === 'changed') return children((by) => setIs(by === 'key' ? 'left by key' : 'shown'));
  return (
    <button
      type="button"
      className={css.edit}
      aria-label={`${label}: ${value}`}
      autoFocus={is === 'left by key'}
      onClick={() => setIs('changed')}
    >
      {value}
    </button>
  );
}

export function StatusCell({ product }: { product: Product }) {
  const label = `${t.status}: ${product.name}`;
  return (
    <Changeable label={label} value={wordFor(product.status)}>
      {(leave) => <StatusField label={label} product={product} leave={leave} />}
    </Changeable>
  );
}

interface FieldProps {
  readonly label: string;
  readonly leave: (by: 'key' | 'pointer') => void;
}

function StatusField({ label, product, leave }: FieldProps & { readonly product: Product }) {
  const box = useRef<HTMLSelectElement>(null);
  // One has asked for the choices already.
  useEffect(() => box.current?.showPicker?.(), []);
  return (
    <select
      ref={box}
      className={css.edit}
      aria-label={label}
      autoFocus
      defaultValue={product.status}
      onChange={({ target: { value } }) => {
        leave('key');
        void change(product, { status: value as Product['status'] });
      }}
      onKeyDown={({ key }) => key === 'Escape' && leave('key')}
      onBlur={() => leave('pointer')}
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
  return (
    <Changeable label={label} value={value}>
      {(leave) => <TypedField label={label} value={value} save={save} leave={leave} />}
    </Changeable>
  );
}

function TypedField({ label, value, save, leave }: FieldProps & EditableProps) {
  const box = useRef<HTMLInputElement>(null);
  // A field that is taken away may say once more that it was left.
  const isLeft = useRef(false);
  useEffect(() => box.current?.select(), []);
  function end(by: 'key' | 'pointer', typed = value): void {
    if (isLeft.current) return;
    isLeft.current = true;
    leave(by);
    if (typed !== value) save(typed);
  }
  return (
    <input
      ref={box}
      className={css.edit}
      aria-label={label}
      inputMode="decimal"
      autoFocus
      defaultValue={value}
      onBlur={({ target }) => end('pointer', target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        // Otherwise the same key would open the cell again, which has the focus next.
        event.preventDefault();
        end('key', event.key === 'Enter' ? event.currentTarget.value : value);
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
