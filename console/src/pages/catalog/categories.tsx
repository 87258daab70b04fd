import type { CategoryDeleted, CategoryNode } from '@storefront/client';
import { useEffect, useState } from 'react';
import { api, mayCall } from '../../api/client.ts';
import { tell } from '../../api/problems.ts';
import { useRead } from '../../api/reads.ts';
import { t } from '../../language/index.ts';
import { act, Action } from '../../parts/action.tsx';
import { A, Badge, Button, Card, Empty, Loading, Note, PageHead, Problem } from '../../parts/basics.tsx';
import { Check, Choice, TextField } from '../../parts/form.tsx';
import { useRole } from '../../shell/session.ts';
import { CatalogTabs } from './catalog.tsx';
import css from './catalog.module.css';

export function Categories() {
  const role = useRole();
  const may = mayCall('changeCategory', role);
  const { data, error } = useRead(api.categories.listCategories, { query: { view: 'tree' as const, limit: 100 } });
  const roots = data?.data ?? [];
  const flat = roots.flatMap(flatten);
  return (
    <>
      <PageHead title={t.catalog.categories} sub={t.catalog.categoriesSub}>
        {may && <NewCategory all={flat} />}
      </PageHead>
      <CatalogTabs current="/catalog/categories" />
      <Card>
        {error ? (
          <Problem error={error} />
        ) : !data ? (
          <Loading />
        ) : roots.length === 0 ? (
          <Empty title={t.nothingHere} />
        ) : (
          <Branch nodes={roots} all={flat} may={may} />
        )}
      </Card>
    </>
  );
}

const flatten = (node: CategoryNode): CategoryNode[] => [node, ...(node.children ?? []).flatMap(flatten)];
const parents = (all: readonly CategoryNode[], except: readonly string[] = []) => [
  ['', t.catalog.top] as const,
  ...all
    .filter(({ id }) => !except.includes(id))
    .map(({ id, path, name }) => [id, [...path.slice(0, -1), name].join(' / ')] as const),
];

function Branch({ nodes, all, may }: { nodes: readonly CategoryNode[]; all: readonly CategoryNode[]; may: boolean }) {
  const move = (at: number, by: number) => {
    const moved = [...nodes];
    moved.splice(at + by, 0, ...moved.splice(at, 1));
    void act(nodes[at]?.name ?? '', async () => {
      // Several may have the same position, such as those that were made here: each gets one of its own.
      for (const [position, { id, position: former }] of moved.entries())
        if (position !== former) await api.categories.changeCategory({ params: { id }, body: { position } });
    });
  };
  return (
    <ul className={css.tree}>
      {nodes.map((node, at) => (
        <li key={node.id}>
          <div className={css.node}>
            <strong>
              <A to={`/catalog?category=${node.id}`}>{node.name}</A>
            </strong>
            <span className="muted">{t.catalog.countOf(node.productCount)}</span>
            {!node.isActive && <Badge value="disabled" />}
            {may && (
              <>
                <Button
                  tone="quiet"
                  icon="up"
                  label={`${t.catalog.earlier}: ${node.name}`}
                  disabled={at === 0}
                  onClick={() => move(at, -1)}
                />
                <Button
                  tone="quiet"
                  icon="down"
                  label={`${t.catalog.later}: ${node.name}`}
                  disabled={at === nodes.length - 1}
                  onClick={() => move(at, 1)}
                />
                <ChangeCategory node={node} all={all} />
                <DeleteCategory node={node} all={all} />
              </>
            )}
          </div>
          {node.children && node.children.length > 0 && <Branch nodes={node.children} all={all} may={may} />}
        </li>
      ))}
    </ul>
  );
}

function NewCategory({ all }: { all: readonly CategoryNode[] }) {
  return (
    <Action
      title={t.catalog.newCategory}
      tone="primary"
      icon="plus"
      initial={{ name: '', parentId: '' }}
      fields={({ values, set }) => (
        <>
          <TextField
            label={t.name}
            value={values.name}
            onChange={(name) => set('name', name)}
            required
            pointer="/name"
          />
          <Choice
            label={t.catalog.parent}
            value={values.parentId}
            onChange={(parentId) => set('parentId', parentId)}
            choices={parents(all)}
            pointer="/parentId"
          />
        </>
      )}
      run={({ name, parentId }) => api.categories.createCategory({ body: { name, parentId: parentId || null } })}
    />
  );
}

function ChangeCategory({ node, all }: { node: CategoryNode; all: readonly CategoryNode[] }) {
  const own = flatten(node).map(({ id }) => id);
  return (
    <Action
      title={t.change}
      verb={t.save}
      initial={{ name: node.name, parentId: node.parentId ?? '', isActive: node.isActive }}
      fields={({ values, set }) => (
        <>
          <TextField
            label={t.name}
            value={values.name}
            onChange={(name) => set('name', name)}
            required
            pointer="/name"
          />
          <Choice
            label={t.catalog.parent}
            value={values.parentId}
            onChange={(parentId) => set('parentId', parentId)}
            choices={parents(all, own)}
            pointer="/parentId"
          />
          <Check
            label={t.settings.active}
            checked={values.isActive}
            onChange={(isActive) => set('isActive', isActive)}
          />
        </>
      )}
      run={({ name, parentId, isActive }) =>
        api.categories.changeCategory({ params: { id: node.id }, body: { name, parentId: parentId || null, isActive } })
      }
    />
  );
}

type Strategy = 'reject' | 'reassign' | 'cascade';

function DeleteCategory({ node, all }: { node: CategoryNode; all: readonly CategoryNode[] }) {
  const own = new Set(flatten(node).map(({ id }) => id));
  const others = all.filter(({ id }) => !own.has(id));
  const queryOf = ({ strategy, to }: { strategy: Strategy; to: string }) => ({
    strategy,
    ...(strategy === 'reassign' && { to }),
  });
  return (
    <Action<{ strategy: Strategy; to: string }>
      title={t.delete}
      tone="danger"
      initial={{ strategy: 'reject', to: others[0]?.id ?? '' }}
      fields={({ values, set }) => (
        <>
          <Choice
            label={t.catalog.strategy}
            value={values.strategy}
            onChange={(strategy) => set('strategy', strategy)}
            choices={(['reject', 'reassign', 'cascade'] as const).map(
              (one) => [one, t.catalog.strategies[one]] as const,
            )}
          />
          {values.strategy === 'reassign' && (
            <Choice
              label={t.catalog.to}
              value={values.to}
              onChange={(to) => set('to', to)}
              choices={others.map(({ id, name }) => [id, name] as const)}
            />
          )}
          <DryRun id={node.id} query={queryOf(values)} />
        </>
      )}
      run={(values) => api.categories.deleteCategory({ params: { id: node.id }, query: queryOf(values) })}
    />
  );
}

/** What the deletion would do, before it does it. */
function DryRun({ id, query }: { id: string; query: { strategy: Strategy; to?: string } }) {
  const [would, setWould] = useState<CategoryDeleted | string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    api.categories.deleteCategory({ params: { id }, query: { ...query, dryRun: true } }).then(
      (answer) => isCurrent && setWould(answer),
      (error: unknown) => isCurrent && setWould(tell(error).sentence),
    );
    return () => void (isCurrent = false);
  }, [id, query.strategy, query.to]);
  if (would === null) return <Loading lines={2} />;
  if (typeof would === 'string') return <Note tone="bad">{would}</Note>;
  return (
    <Note tone="warn">
      {t.catalog.would(
        would.categoriesDeleted,
        would.childrenReassigned,
        would.productsReassigned + would.productsRemoved,
        would.productsUncategorised,
      )}
    </Note>
  );
}
