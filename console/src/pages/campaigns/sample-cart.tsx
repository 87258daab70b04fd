import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useRead, type ReadCall } from '../../api/reads.ts';
import { money } from '../../format.ts';
import { t } from '../../language/index.ts';
import { Badge, Card, Facts, Loading, Note, Problem, Stack } from '../../parts/basics.tsx';
import { Choice, TextField } from '../../parts/form.tsx';
import { useIsAmong } from './item-picker.tsx';
import type { Items } from './items.ts';

/** What the new campaign would do, as far as a sample cart can show it. */
export interface Rule {
  readonly type: 'percentage' | 'fixed-amount' | 'buy-x-get-y' | 'free-shipping';
  readonly percent: number;
  readonly amount: number;
  readonly minimum: number;
  /** Which items it is for. */
  readonly items: Items;
  readonly buy: { readonly quantity: number; readonly items: Items };
  readonly get: { readonly quantity: number; readonly items: Items };
  readonly segment: 'all' | 'retail' | 'trade';
}

const shipping = { amount: 495, currency: 'EUR' };
const evaluate = Object.assign(
  (input: Parameters<typeof api.discounts.evaluateDiscounts>[0], options?: { readonly signal?: AbortSignal }) =>
    api.discounts.evaluateDiscounts(input, options),
  { key: api.discounts.evaluateDiscounts.key },
) satisfies ReadCall<Parameters<typeof api.discounts.evaluateDiscounts>[0], unknown>;

/** A cart of one product as the shop works it out now, and what the new campaign would take off besides. */
export function SampleCart({ rule }: { rule: Rule }) {
  const products = useRead(api.products.listProducts, { query: { status: 'active' as const, limit: 50 } });
  const [chosen, setChosen] = useState('');
  const [chosenVariant, setChosenVariant] = useState('');
  const [pieces, setPieces] = useState('2');
  const [buyer, setBuyer] = useState<'retail' | 'trade'>('retail');
  const product = products.data?.data.find(({ id }) => id === chosen) ?? products.data?.data[0];
  // Of several variants one has to be named.
  const variants = product?.variants ?? [];
  const variant = variants.find(({ id }) => id === chosenVariant) ?? variants[0];
  const quantity = Math.max(1, Math.min(999, Number(pieces) || 1));
  const isAmong = useIsAmong();
  const { data, error } = useRead(
    evaluate,
    {
      body: {
        lines: [{ productId: product?.id ?? '', ...(variant && { variantId: variant.id }), quantity }],
        shipping,
        segment: buyer,
      },
    },
    { enabled: product !== undefined },
  );
  return (
    <Card title={t.campaigns.sample}>
      <Stack>
        <Choice
          label={t.catalog.product}
          value={product?.id ?? ''}
          onChange={setChosen}
          choices={(products.data?.data ?? []).map(({ id, name }) => [id, name] as const)}
        />
        {variants.length > 1 && (
          <Choice
            label={t.catalog.variant}
            value={variant?.id ?? ''}
            onChange={setChosenVariant}
            choices={variants.map(({ id, values }) => [id, values.join(', ')] as const)}
          />
        )}
        <TextField label={t.order.pieces} type="number" value={pieces} onChange={setPieces} />
        <Choice
          label={t.orders.buyer}
          value={buyer}
          onChange={setBuyer}
          choices={[
            ['retail', t.roles.retail],
            ['trade', t.roles.trade],
          ]}
        />
        {error && <Problem error={error} />}
        {!data && !error && <Loading />}
        {data && (
          <>
            <Facts
              of={[
                [t.order.subtotal, money(data.subtotal)],
                ...data.campaigns
                  .filter(({ applied }) => applied)
                  .map(({ name, amount }) => [name, `−${money(amount)}`] as const),
                [t.campaigns.totalNow, money(data.total)],
                [
                  t.campaigns.thisOne,
                  whatItTakes(rule, {
                    subtotal: data.subtotal,
                    quantity,
                    buyer,
                    isAmong: (items) =>
                      product !== undefined &&
                      isAmong(
                        { productId: product.id, variantId: variant?.id, categoryIds: product.categoryIds },
                        items,
                      ),
                  }),
                ],
              ]}
            />
            {data.campaigns
              .filter(({ applied }) => !applied)
              .map(({ campaignId, name, reason }) => (
                <div key={campaignId} className="muted">
                  {name} <Badge value={reason ?? 'none'} tone="neutral" />
                </div>
              ))}
            <Note>{t.campaigns.sampleNote}</Note>
          </>
        )}
      </Stack>
    </Card>
  );
}

interface Sample {
  readonly subtotal: { readonly amount: number; readonly currency: string };
  readonly quantity: number;
  readonly buyer: 'retail' | 'trade';
  /** Whether what is in the cart is among the items. */
  readonly isAmong: (items: Items) => boolean;
}

function whatItTakes(
  { type, percent, amount, minimum, segment, items, buy, get }: Rule,
  { subtotal, quantity, buyer, isAmong }: Sample,
): string {
  if (segment !== 'all' && segment !== buyer) return t.campaigns.notForThem;
  if (subtotal.amount < minimum)
    return t.campaigns.missing(money({ amount: minimum - subtotal.amount, currency: subtotal.currency }));
  const itsItems = type === 'buy-x-get-y' ? [buy.items, get.items] : [items];
  if (!itsItems.every(isAmong)) return t.campaigns.notAmong;
  // A piece counts as bought or as given.
  const given = Math.floor(quantity / (buy.quantity + get.quantity)) * get.quantity;
  if (type === 'buy-x-get-y' && given === 0) return t.campaigns.tooFew;
  const off =
    type === 'free-shipping'
      ? shipping.amount
      : type === 'percentage'
        ? Math.round((subtotal.amount * percent) / 100)
        : type === 'buy-x-get-y'
          ? Math.round(((subtotal.amount / quantity) * given * percent) / 100)
          : Math.min(amount, subtotal.amount);
  return `−${money({ amount: off, currency: subtotal.currency })}`;
}
