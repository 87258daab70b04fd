import type { Product as ProductBody } from '@storefront/client';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, mayCall } from '../../api/client.ts';
import { tell } from '../../api/problems.ts';
import { refreshAll, useRead } from '../../api/reads.ts';
import { money, number, parseAmount, typedAmount } from '../../format.ts';
import { t, wordFor } from '../../language/index.ts';
import { Action } from '../../parts/action.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { Badge, Button, Card, Columns, Facts, Loading, PageHead, Problem, Row, Stack } from '../../parts/basics.tsx';
import { Choice, Fields, MoneyField, ProblemsProvider, TextField, Two, useForm } from '../../parts/form.tsx';
import { useLeaveGuard } from '../../parts/leave-guard.ts';
import { SnippetMenu } from '../../parts/snippet-menu.tsx';
import { say } from '../../parts/toasts.tsx';
import { ConflictDialog, saveOver } from '../../shell/conflict.tsx';
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
          {/* With each version that is saved the form begins anew. */}
          {may ? (
            <Editor key={product.updatedAt} product={product} />
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
      <ConflictDialog />
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

function Editor({ product }: { product: ProductBody }) {
  const { currency } = product.price;
  const initial: Values = {
    name: product.name,
    sku: product.sku,
    description: product.description ?? '',
    price: typedAmount(product.price),
    tradePrice: product.tradePrice ? typedAmount(product.tradePrice) : '',
    status: product.status,
  };
  const form = useForm(initial);
  const [isUnderWay, setIsUnderWay] = useState(false);
  useLeaveGuard(form.isDirty);
  const { values, set, problem } = form;
  const amount = (text: string) => ({ amount: parseAmount(text, currency) ?? -1, currency });
  // Only what was changed is sent, so that two people can change different fields.
  const bodyOf = () => ({
    ...(values.name !== initial.name && { name: values.name }),
    ...(values.sku !== initial.sku && { sku: values.sku }),
    ...(values.description !== initial.description && { description: values.description || null }),
    ...(values.price !== initial.price && { price: amount(values.price) }),
    ...(values.tradePrice !== initial.tradePrice && {
      tradePrice: values.tradePrice === '' ? null : amount(values.tradePrice),
    }),
    ...(values.status !== initial.status && { status: values.status }),
  });
  async function save(): Promise<void> {
    setIsUnderWay(true);
    form.setProblem(null);
    try {
      await saveOver(product, bodyOf(), (body, of) =>
        api.products.changeProduct({ params: { id: product.id }, body }, { of }),
      );
      form.reset(values);
      say(t.done, product.name);
      refreshAll();
    } catch (error) {
      form.setProblem(tell(error));
    } finally {
      setIsUnderWay(false);
    }
  }
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
      <form onSubmit={(event) => (event.preventDefault(), void save())}>
        <ProblemsProvider value={problem}>
          <Fields>
            {problem && <ProblemNote problem={problem} />}
            <TextField
              label={t.name}
              value={values.name}
              onChange={(name) => set('name', name)}
              required
              pointer="/name"
            />
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
            <Row>
              <Button type="submit" tone="primary" disabled={!form.isDirty || isUnderWay}>
                {isUnderWay ? t.working : t.save}
              </Button>
              {form.isDirty && <Button onClick={() => form.reset(initial)}>{t.discard}</Button>}
            </Row>
          </Fields>
        </ProblemsProvider>
      </form>
    </Card>
  );
}
