import { useEffect, useRef, useState, type FormEvent } from 'react';
import type { FilterField } from '../api/operation-info.ts';
import { dayOf, startOfDay } from '../format.ts';
import { t, wordFor } from '../language/index.ts';
import { Button } from './basics.tsx';
import formCss from './form.module.css';
import { Choice, DayField, TextField } from './form.tsx';
import { Icon } from './icon.tsx';
import type { Search } from './search.ts';
import css from './table.module.css';

interface FiltersProps {
  readonly fields: readonly FilterField[];
  readonly search: Search;
  readonly change: (next: Readonly<Record<string, string | undefined>>) => void;
}

const nameOf = (field: string): string => (t.filters as Readonly<Record<string, string>>)[field] ?? wordFor(field);

/** The text that a list is searched for. It is looked for when one stops typing. */
export function SearchBox({ search, change }: Omit<FiltersProps, 'fields'>) {
  const [text, setText] = useState(search.q ?? '');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // What is typed meanwhile is looked for next.
    if (timer.current === undefined) setText(search.q ?? '');
  }, [search.q]);
  const apply = (value: string) => {
    timer.current = undefined;
    change({ q: value.trim() || undefined, cursor: undefined });
  };
  function submit(event: FormEvent): void {
    event.preventDefault();
    clearTimeout(timer.current);
    apply(text);
  }
  return (
    <form role="search" className={css.search} onSubmit={submit}>
      <Icon name="search" size={16} />
      <input
        type="search"
        data-search
        className={formCss.input}
        aria-label={t.searchList}
        placeholder={t.searchList}
        value={text}
        onChange={({ target: { value } }) => {
          setText(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => apply(value), 350);
        }}
      />
    </form>
  );
}

/** A field for each filter that the operation has. */
export function Filters({ fields, search, change }: FiltersProps) {
  return (
    <div className={css.filters}>
      {fields.map(({ name, kind, choices = [] }) => {
        const set = (value: string) => change({ [name]: value || undefined, cursor: undefined });
        const value = search[name] ?? '';
        if (kind === 'text') return <LazyText key={name} label={nameOf(name)} value={value} set={set} />;
        if (kind === 'date' || kind === 'day')
          return (
            <DayField
              key={name}
              label={nameOf(name)}
              value={kind === 'date' && value ? dayOf(new Date(value)) : value}
              onChange={(day) => set(day && kind === 'date' ? startOfDay(day) : day)}
            />
          );
        const options = kind === 'flag' ? ['true', 'false'] : choices;
        return (
          <Choice
            key={name}
            label={nameOf(name)}
            value={value}
            onChange={set}
            choices={[['', t.any], ...options.map((one) => [one, wordFor(one)] as const)]}
          />
        );
      })}
    </div>
  );
}

function LazyText({ label, value, set }: { label: string; value: string; set: (value: string) => void }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <form
      onSubmit={(event) => (event.preventDefault(), set(text.trim()))}
      onBlur={() => text !== value && set(text.trim())}
    >
      <TextField label={label} value={text} onChange={setText} />
    </form>
  );
}

const shown = (kind: FilterField['kind'], value: string) =>
  kind === 'date' ? dayOf(new Date(value)) : kind === 'day' || kind === 'text' ? value : wordFor(value);

/** The filters that are set, each of which can be taken away. */
export function Chips({ fields, search, change }: FiltersProps) {
  const set = fields.filter(({ name }) => search[name] !== undefined);
  if (set.length === 0) return null;
  return (
    <div className={css.chips}>
      {set.map(({ name, kind }) => {
        const filter = `${nameOf(name)}: ${shown(kind, search[name] ?? '')}`;
        return (
          <button
            key={name}
            type="button"
            className={css.chip}
            aria-label={`${t.removeFilter}: ${filter}`}
            onClick={() => change({ [name]: undefined, cursor: undefined })}
          >
            {filter}
            <Icon name="close" size={13} />
          </button>
        );
      })}
      <Button
        tone="quiet"
        onClick={() => change({ ...Object.fromEntries(set.map(({ name }) => [name, undefined])), cursor: undefined })}
      >
        {t.clearFilters}
      </Button>
    </div>
  );
}
