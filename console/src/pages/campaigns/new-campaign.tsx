import type { CampaignCreation } from '@storefront/client';
import { useRouter } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { instantOf, parseAmount } from '../../format.ts';
import { t, wordFor } from '../../language/index.ts';
import { Card, Columns, PageHead } from '../../parts/basics.tsx';
import { Check, Choice, MoneyField, TextField, Two, useForm } from '../../parts/form.tsx';
import { SaveForm } from '../../parts/save-form.tsx';
import { SnippetMenu } from '../../parts/snippet-menu.tsx';
import { ItemPicker } from './item-picker.tsx';
import { allItems, selectorOf, type Items } from './items.ts';
import { SampleCart, type Rule } from './sample-cart.tsx';

const currency = 'EUR';
const types = ['percentage', 'fixed-amount', 'buy-x-get-y', 'free-shipping'] as const;
const segments = ['all', 'retail', 'trade'] as const;

interface Values {
  name: string;
  description: string;
  trigger: 'automatic' | 'code';
  type: (typeof types)[number];
  percent: string;
  amount: string;
  target: 'order' | 'items';
  items: Items;
  buy: string;
  buyItems: Items;
  get: string;
  getItems: Items;
  segment: (typeof segments)[number];
  startsAt: string;
  endsAt: string;
  minimum: string;
  firstOrderOnly: boolean;
  total: string;
  perUser: string;
  budget: string;
}

const initial: Values = {
  name: '',
  description: '',
  trigger: 'automatic',
  type: 'percentage',
  percent: '10',
  amount: '',
  target: 'order',
  items: allItems,
  buy: '2',
  buyItems: allItems,
  get: '1',
  getItems: allItems,
  segment: 'all',
  startsAt: '',
  endsAt: '',
  minimum: '',
  firstOrderOnly: false,
  total: '',
  perUser: '',
  budget: '',
};

const amountOf = (text: string) => {
  const amount = parseAmount(text, currency);
  return amount === null ? null : { amount, currency };
};
const countOf = (text: string) => (text === '' ? null : Number(text));
const timeOf = (text: string) => (text === '' ? null : instantOf(text));

const percentOf = (text: string) => Number(text.replace(',', '.'));

function discountOf(values: Values): CampaignCreation['discount'] {
  const { type, percent, amount, target, items, buy, buyItems, get, getItems } = values;
  const which = { target, ...(target === 'items' && { items: selectorOf(items) }) };
  switch (type) {
    case 'percentage':
      return { type, percent: percentOf(percent), ...which };
    case 'fixed-amount':
      return { type, amount: amountOf(amount) ?? { amount: 0, currency }, ...which };
    case 'buy-x-get-y':
      return {
        type,
        buy: { quantity: Number(buy), items: selectorOf(buyItems) },
        get: { quantity: Number(get), items: selectorOf(getItems), percent: percentOf(percent) },
      };
    case 'free-shipping':
      return { type };
  }
}

function bodyOf(values: Values): CampaignCreation {
  const { name, description, trigger, segment, startsAt, endsAt, minimum, firstOrderOnly, total, perUser, budget } =
    values;
  return {
    name,
    ...(description && { description }),
    trigger,
    discount: discountOf(values),
    conditions: {
      segment,
      startsAt: timeOf(startsAt),
      endsAt: timeOf(endsAt),
      minimumSubtotal: amountOf(minimum),
      firstOrderOnly,
    },
    limits: { total: countOf(total), perUser: countOf(perUser), budget: amountOf(budget) },
  };
}

const ruleOf = ({ type, percent, amount, minimum, segment, ...values }: Values): Rule => ({
  type,
  percent: percentOf(percent) || 0,
  items: type !== 'free-shipping' && values.target === 'items' ? values.items : allItems,
  buy: { quantity: Number(values.buy) || 1, items: values.buyItems },
  get: { quantity: Number(values.get) || 1, items: values.getItems },
  amount: parseAmount(amount, currency) ?? 0,
  minimum: parseAmount(minimum, currency) ?? 0,
  segment,
});

/** Makes a campaign, and shows while one does what it would take off a cart beside those that run. */
export function NewCampaign() {
  const form = useForm(initial);
  const router = useRouter();
  const { values, set } = form;
  return (
    <>
      <PageHead title={t.campaigns.new} sub={t.campaigns.newSub}>
        <SnippetMenu snippet={() => ({ area: 'campaigns', id: 'createCampaign', input: { body: bodyOf(values) } })} />
      </PageHead>
      <Columns>
        <Card>
          <SaveForm
            form={form}
            what={values.name}
            verb={t.campaigns.create}
            isNew
            save={() => api.campaigns.createCampaign({ body: bodyOf(values) })}
            onSaved={({ id }) => void router.navigate({ to: `/campaigns/${id}`, ignoreBlocker: true })}
          >
            <TextField
              label={t.name}
              value={values.name}
              onChange={(name) => set('name', name)}
              required
              pointer="/name"
            />
            <TextField
              label={t.catalog.description}
              rows={2}
              value={values.description}
              onChange={(text) => set('description', text)}
              pointer="/description"
            />
            <Two>
              <Choice
                label={t.campaigns.discount}
                value={values.type}
                onChange={(type) => set('type', type)}
                choices={types.map((one) => [one, wordFor(one)] as const)}
              />
              {(values.type === 'percentage' || values.type === 'buy-x-get-y') && (
                <TextField
                  label={t.campaigns.percentOff}
                  inputMode="decimal"
                  value={values.percent}
                  onChange={(percent) => set('percent', percent)}
                  required
                  pointer={values.type === 'percentage' ? '/discount/percent' : '/discount/get/percent'}
                />
              )}
              {values.type === 'fixed-amount' && (
                <MoneyField
                  label={t.campaigns.amountOff}
                  currency={currency}
                  value={values.amount}
                  onChange={(amount) => set('amount', amount)}
                  required
                  pointer="/discount/amount"
                />
              )}
              {(values.type === 'percentage' || values.type === 'fixed-amount') && (
                <Choice
                  label={t.campaigns.target}
                  value={values.target}
                  onChange={(target) => set('target', target)}
                  choices={[
                    ['order', t.campaigns.wholeOrder],
                    ['items', t.campaigns.someItems],
                  ]}
                />
              )}
              <Choice
                label={t.campaigns.trigger}
                value={values.trigger}
                onChange={(trigger) => set('trigger', trigger)}
                choices={(['automatic', 'code'] as const).map((one) => [one, wordFor(one)] as const)}
              />
              <Choice
                label={t.campaigns.forWhom}
                value={values.segment}
                onChange={(segment) => set('segment', segment)}
                choices={segments.map((one) => [one, wordFor(one)] as const)}
              />
              <MoneyField
                label={t.campaigns.minimum}
                currency={currency}
                value={values.minimum}
                onChange={(minimum) => set('minimum', minimum)}
                pointer="/conditions/minimumSubtotal"
              />
              <MoneyField
                label={t.campaigns.budget}
                currency={currency}
                value={values.budget}
                onChange={(budget) => set('budget', budget)}
                pointer="/limits/budget"
              />
              <TextField
                label={t.campaigns.begins}
                type="datetime-local"
                value={values.startsAt}
                onChange={(startsAt) => set('startsAt', startsAt)}
                pointer="/conditions/startsAt"
              />
              <TextField
                label={t.campaigns.ends}
                type="datetime-local"
                value={values.endsAt}
                onChange={(endsAt) => set('endsAt', endsAt)}
                pointer="/conditions/endsAt"
              />
              <TextField
                label={t.campaigns.total}
                type="number"
                value={values.total}
                onChange={(total) => set('total', total)}
                pointer="/limits/total"
              />
              <TextField
                label={t.campaigns.perUser}
                type="number"
                value={values.perUser}
                onChange={(perUser) => set('perUser', perUser)}
                pointer="/limits/perUser"
              />
            </Two>
            {(values.type === 'percentage' || values.type === 'fixed-amount') && values.target === 'items' && (
              <ItemPicker
                title={t.campaigns.someItems}
                value={values.items}
                onChange={(items) => set('items', items)}
              />
            )}
            {values.type === 'buy-x-get-y' && (
              <>
                <TextField
                  label={t.campaigns.buy}
                  type="number"
                  value={values.buy}
                  onChange={(buy) => set('buy', buy)}
                  required
                  pointer="/discount/buy/quantity"
                />
                <ItemPicker
                  title={t.campaigns.buyItems}
                  value={values.buyItems}
                  onChange={(items) => set('buyItems', items)}
                />
                <TextField
                  label={t.campaigns.get}
                  type="number"
                  value={values.get}
                  onChange={(get) => set('get', get)}
                  required
                  pointer="/discount/get/quantity"
                />
                <ItemPicker
                  title={t.campaigns.getItems}
                  value={values.getItems}
                  onChange={(items) => set('getItems', items)}
                />
              </>
            )}
            <Check
              label={t.campaigns.firstOrder}
              checked={values.firstOrderOnly}
              onChange={(isOn) => set('firstOrderOnly', isOn)}
            />
          </SaveForm>
        </Card>
        <SampleCart rule={ruleOf(values)} />
      </Columns>
    </>
  );
}
