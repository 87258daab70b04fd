import type { Actor, ordersHttp } from '@storefront/contracts';
import type { Loaded } from '@storefront/mongo';
import * as decide from '../domain/shipping-options.ts';
import { allRates, setTaxRates, type StoredTaxRates } from '../domain/tax-rates.ts';
import type { Store } from '../store/collections.ts';

interface Needs extends Store {
  readonly now: () => Date;
}

/** An option to change. `expect` throws where the client has read another version of it. */
interface Target {
  readonly id: string;
  readonly actor: Actor;
  readonly expect: (version: number) => void;
}

/** Creates a shipping option under `id`. Repeated with the same id, it changes nothing. */
export async function createShippingOption(
  { shippingOptions, now }: Needs,
  { id, actor, given }: Pick<Target, 'id' | 'actor'> & { given: ordersHttp.ShippingOptionCreation },
): Promise<decide.StoredOption> {
  const { result } = await shippingOptions.change(decide.allOptions, (current) =>
    decide.addOption(current, id, given, { actor, now: now() }),
  );
  return result;
}

export async function changeShippingOption(
  { shippingOptions, now }: Needs,
  { id, actor, expect, given }: Target & { given: ordersHttp.ShippingOptionChange },
): Promise<decide.StoredOption> {
  const { result } = await shippingOptions.change(decide.allOptions, (current) =>
    decide.changeOption(current, id, given, { actor, now: now(), expect }),
  );
  return result;
}

export async function deleteShippingOption({ shippingOptions }: Needs, { id, ...context }: Target): Promise<void> {
  await shippingOptions.change(decide.allOptions, (current) => decide.deleteOption(current, id, context));
}

/** Replaces all tax rates. `expect` throws where the client has read another version of them. */
export async function putTaxRates(
  { taxRates, now }: Needs,
  { actor, expect, given }: Omit<Target, 'id'> & { given: ordersHttp.TaxRatesSetting },
): Promise<Loaded<StoredTaxRates>> {
  const { result, version } = await taxRates.change(allRates, (_current, at) => {
    expect(at);
    return setTaxRates(given, { actor, now: now() });
  });
  return { state: result, version };
}
