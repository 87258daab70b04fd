import type { ShippingOption, TaxRates } from '@storefront/client';
import { api, mayCall } from '../api/client.ts';
import { useRead } from '../api/reads.ts';
import { money, parseAmount, typedAmount } from '../format.ts';
import { t, wordFor } from '../language/index.ts';
import { Action } from '../parts/action.tsx';
import { Badge, Button, Card, Facts, Loading, Note, PageHead, Problem, Row, Stack } from '../parts/basics.tsx';
import { DataTable } from '../parts/data-table.tsx';
import form from '../parts/form.module.css';
import { Check, MoneyField, TextField, useFormOf, type Form } from '../parts/form.tsx';
import { SaveForm } from '../parts/save-form.tsx';
import { changesOf, saveOnTop, saveOver } from '../shell/save-over.ts';
import { useRole } from '../shell/session.ts';

export function Settings() {
  const role = useRole();
  return (
    <>
      <PageHead title={t.pages.settings} sub={t.settings.sub} />
      <Stack>
        <DataTable<ShippingOption, Parameters<typeof api.shippingAndTax.listShippingOptions>[0]>
          list={api.shippingAndTax.listShippingOptions}
          label={t.settings.shipping}
          keyOf={({ id }) => id}
          columns={[
            { title: t.settings.shipping, cell: ({ name }) => <strong>{name}</strong> },
            { title: t.settings.countries, cell: ({ countries }) => countries?.join(', ') ?? t.settings.everywhere },
            { title: t.settings.buyers, cell: ({ tiers }) => tiers.map(wordFor).join(', ') },
            { title: t.settings.price, align: 'end', cell: ({ price }) => money(price) },
            { title: t.settings.freeFrom, align: 'end', cell: ({ freeFrom }) => (freeFrom ? money(freeFrom) : '–') },
            { title: t.status, cell: ({ active }) => <Badge value={active ? 'active' : 'disabled'} /> },
            {
              title: t.more,
              cell: (option) => mayCall('changeShippingOption', role) && <ShippingActions option={option} />,
            },
          ]}
        >
          {mayCall('createShippingOption', role) && <NewShipping />}
        </DataTable>
        <Taxes may={mayCall('putTaxRates', role)} />
        <Seller />
      </Stack>
    </>
  );
}

/** What invoices state of the shop. The operator sets it where the services run. */
function Seller() {
  const { data: shop, error } = useRead(api.invoices.getShopSettings, {});
  return (
    <Card title={t.settings.seller}>
      {error ? (
        <Problem error={error} />
      ) : !shop ? (
        <Loading />
      ) : (
        <Stack>
          <Facts
            of={[
              [t.trade.business, shop.seller.businessName],
              [t.trade.address, shop.seller.address],
              [t.trade.country, shop.seller.country],
              [t.trade.vat, shop.seller.vatNumber],
              [
                t.settings.bank,
                shop.bank && [shop.bank.name, shop.bank.iban, shop.bank.bic].filter(Boolean).join(', '),
              ],
              [t.settings.currency, shop.currency],
              [t.people.timeZone, shop.timeZone],
              [
                t.settings.newAccounts,
                `${money(shop.newAccounts.creditLimit)}, ${t.trade.days(shop.newAccounts.termsDays)}`,
              ],
            ]}
          />
          <Note>{t.settings.byOperator}</Note>
        </Stack>
      )}
    </Card>
  );
}

interface ShippingValues {
  name: string;
  countries: string;
  price: string;
  freeFrom: string;
  active: boolean;
}

const currencyOf = (option: ShippingOption | undefined) => option?.price.currency ?? 'EUR';

function bodyOf({ name, countries, price, freeFrom, active }: ShippingValues, currency: string) {
  const codes = countries
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const free = parseAmount(freeFrom, currency);
  return {
    name,
    countries: codes.length === 0 ? null : codes,
    price: { amount: parseAmount(price, currency) ?? -1, currency },
    freeFrom: free === null ? null : { amount: free, currency },
    active,
  };
}

function shippingFields({ values, set }: Pick<Form<ShippingValues>, 'values' | 'set'>, currency: string) {
  return (
    <>
      <TextField label={t.name} value={values.name} onChange={(name) => set('name', name)} required pointer="/name" />
      <TextField
        label={t.settings.countries}
        hint={t.settings.countriesHint}
        value={values.countries}
        onChange={(countries) => set('countries', countries)}
        pointer="/countries"
      />
      <MoneyField
        label={t.settings.price}
        currency={currency}
        value={values.price}
        onChange={(price) => set('price', price)}
        required
        pointer="/price"
      />
      <MoneyField
        label={t.settings.freeFrom}
        currency={currency}
        value={values.freeFrom}
        onChange={(freeFrom) => set('freeFrom', freeFrom)}
        pointer="/freeFrom"
      />
      <Check label={t.settings.active} checked={values.active} onChange={(active) => set('active', active)} />
    </>
  );
}

function NewShipping() {
  return (
    <Action<ShippingValues>
      title={t.settings.newShipping}
      icon="plus"
      initial={{ name: '', countries: '', price: '', freeFrom: '', active: true }}
      fields={(shipping) => shippingFields(shipping, 'EUR')}
      run={(values) => api.shippingAndTax.createShippingOption({ body: bodyOf(values, 'EUR') })}
      snippet={(values) => ({
        area: 'shippingAndTax',
        id: 'createShippingOption',
        input: { body: bodyOf(values, 'EUR') },
      })}
    />
  );
}

function ShippingActions({ option }: { option: ShippingOption }) {
  const currency = currencyOf(option);
  const params = { id: option.id };
  const typed: ShippingValues = {
    name: option.name,
    countries: option.countries?.join(', ') ?? '',
    price: typedAmount(option.price),
    freeFrom: option.freeFrom ? typedAmount(option.freeFrom) : '',
    active: option.active,
  };
  return (
    <Row>
      <Action
        title={t.change}
        verb={t.save}
        // With the option that it is typed over, whatever the list reads meanwhile.
        initial={{ ...typed, option, former: bodyOf(typed, currency) }}
        fields={(shipping) => shippingFields(shipping, currency)}
        run={async ({ option, former, ...values }) => {
          const change = changesOf(former, bodyOf(values, currency));
          if (Object.keys(change).length === 0) return null;
          const now = await api.shippingAndTax.getShippingOption({ params });
          return saveOnTop(option, now, change, (body, of) =>
            api.shippingAndTax.changeShippingOption({ params, body }, { of }),
          );
        }}
      />
      <Action
        title={t.delete}
        tone="danger"
        initial={{}}
        fields={() => <p>{t.settings.deleteWhy(option.name)}</p>}
        run={() => api.shippingAndTax.deleteShippingOption({ params })}
      />
    </Row>
  );
}

function Taxes({ may }: { may: boolean }) {
  const { data, error } = useRead(api.shippingAndTax.getTaxRates, {});
  if (error) return <Problem error={error} />;
  return <Card title={t.settings.taxes}>{data ? <TaxTable rates={data} may={may} /> : <Loading />}</Card>;
}

const kinds = ['standard', 'reduced', 'zero'] as const;

const valuesOf = ({ rates }: TaxRates) => ({
  rates: rates.map(({ country, standard, reduced, zero }) => ({
    country,
    standard: String(standard),
    reduced: reduced === null ? '' : String(reduced),
    zero: String(zero),
  })),
});

function TaxTable({ rates, may }: { rates: TaxRates; may: boolean }) {
  const { form: taxes, of: read } = useFormOf(rates, valuesOf);
  const { values, set } = taxes;
  const change = (at: number, field: string, value: string) =>
    set(
      'rates',
      values.rates.map((rate, index) => (index === at ? { ...rate, [field]: value } : rate)),
    );
  function save() {
    const body = {
      rates: values.rates.map(({ country, standard, reduced, zero }) => ({
        country,
        standard: Number(standard),
        reduced: reduced === '' ? null : Number(reduced),
        zero: Number(zero),
      })),
    };
    return saveOver(read, body, (part, of) => api.shippingAndTax.putTaxRates({ body: part }, { of }));
  }
  const table = (
    <table className={form.lines}>
      <thead>
        <tr>
          <th scope="col">{t.trade.country}</th>
          {kinds.map((kind) => (
            <th key={kind} scope="col">
              {t.settings.rates[kind]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {values.rates.map((rate, at) => (
          <tr key={at}>
            <td>
              <input
                className={form.input}
                aria-label={t.trade.country}
                readOnly={!may}
                value={rate.country}
                onChange={(event) => change(at, 'country', event.target.value.toUpperCase())}
              />
            </td>
            {kinds.map((kind) => (
              <td key={kind}>
                <input
                  className={form.input}
                  inputMode="decimal"
                  readOnly={!may}
                  aria-label={`${t.settings.rates[kind]} ${rate.country}`}
                  value={rate[kind]}
                  onChange={(event) => change(at, kind, event.target.value)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (!may) return table;
  return (
    <SaveForm
      form={taxes}
      what={t.settings.taxes}
      save={save}
      actions={
        <Button
          icon="plus"
          onClick={() => set('rates', [...values.rates, { country: '', standard: '', reduced: '', zero: '0' }])}
        >
          {t.settings.newCountry}
        </Button>
      }
    >
      {table}
    </SaveForm>
  );
}
