import { useState } from 'react';
import type { FilterField } from '../api/operation-info.ts';
import { t } from '../language/index.ts';
import { Button } from './basics.tsx';
import { Menu } from './menu.tsx';
import { useSearchState, type Search } from './search.ts';

interface View {
  readonly name: string;
  readonly search: Search;
}

const keyOf = (list: string) => `console.views.${list}`;
function viewsOf(list: string): View[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(list)) ?? '[]') as View[];
  } catch {
    return [];
  }
}

/** Filters of a list under a name, kept in this browser. */
export function SavedViews({ list, search, fields }: { list: string; search: Search; fields: readonly FilterField[] }) {
  const [, change] = useSearchState();
  const [views, setViews] = useState(() => viewsOf(list));
  const set = fields.filter(({ name }) => search[name] !== undefined);
  if (fields.length === 0 || (views.length === 0 && set.length === 0)) return null;
  function keep(next: View[]): void {
    setViews(next);
    localStorage.setItem(keyOf(list), JSON.stringify(next));
  }
  function save(): void {
    const name = prompt(t.nameOfView)?.trim();
    if (!name) return;
    const kept = Object.fromEntries(set.map((field) => [field.name, search[field.name] ?? '']));
    keep([...views.filter((view) => view.name !== name), { name, search: kept }]);
  }
  const nothing = Object.fromEntries(fields.map(({ name }) => [name, undefined]));
  return (
    <Menu
      trigger={<Button icon="bookmark">{t.views}</Button>}
      items={[
        ...views.map((view) => ({
          name: view.name,
          do: () => change({ ...nothing, cursor: undefined, ...view.search }),
        })),
        ...(set.length > 0 ? [{ name: t.saveView, icon: 'plus' as const, do: save }] : []),
        ...(views.length > 0 ? [{ name: t.forgetViews, icon: 'close' as const, do: () => keep([]) }] : []),
      ]}
    />
  );
}
