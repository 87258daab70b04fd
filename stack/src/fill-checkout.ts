import type { DemoApi } from './demo-api.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });

const shippingOptions = [
  {
    name: 'Express',
    countries: ['DE', 'NL', 'AT', 'BE'],
    price: eur(995),
    deliveryDays: { min: 1, max: 1 },
  },
  { name: 'Parcel', price: eur(495), freeFrom: eur(5000), deliveryDays: { min: 2, max: 4 } },
];

const taxRates = [
  { country: 'DE', standard: 19, reduced: 7 },
  { country: 'AT', standard: 20, reduced: 10 },
  { country: 'BE', standard: 21, reduced: 6 },
  { country: 'FR', standard: 20, reduced: 5.5 },
  { country: 'NL', standard: 21, reduced: 9 },
];

/** Sets what a cart can be shipped by, and the tax rates of some countries. Does nothing where there are options already. */
export async function fillCheckout(api: DemoApi, adminToken: string): Promise<void> {
  const { data } = await api.get('/v1/shipping-options', adminToken);
  if ((data as unknown[]).length > 0) return;
  await api.put('/v1/tax-rates', { rates: taxRates }, adminToken);
  for (const option of shippingOptions) await api.post('/v1/shipping-options', option, adminToken);
}
