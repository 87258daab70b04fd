import {
  audited,
  changed,
  notFound,
  ordersErrors,
  ordersFields,
  unchanged,
  type Actor,
  type AuditAction,
  type Decision,
  type Fact,
  type FieldError,
  type http,
  type ordersHttp,
  type PageOf,
  type Position,
  type Slice,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';
import { shippingOption, type ShippingOption } from '../../domain/shipping.ts';

const maxOptions = 100;

/** A shipping option as it is stored. Each has a version of its own, which grows with each of its changes. */
const storedOption = shippingOption.extend({ version: z.int(), createdAt: z.date(), updatedAt: z.date() });
export type StoredOption = StateOf<typeof storedOption>;

/** All shipping options, in one document: a request needs all of them, and there are few. */
export const shippingOptions = z.object({
  id: z.string(),
  /** The oldest first. */
  options: z.array(storedOption),
});
export type ShippingOptions = StateOf<typeof shippingOptions>;

/** The id of the one document. */
export const allOptions = 'all';

type OptionsDecision<Result> = Decision<ShippingOptions, Result>;

/** Who changes the options, and when. `expect` throws where the client has read another version of the option. */
interface Context {
  readonly actor: Actor;
  readonly now: Date;
  readonly expect: (version: number) => void;
}

/** Amounts of an option that are not in the shop's currency. */
export function optionFaults(
  { price, freeFrom }: { readonly price?: http.Money | undefined; readonly freeFrom?: http.Money | null | undefined },
  currency: string,
): FieldError[] {
  return Object.entries({ price, freeFrom }).flatMap(([name, money]) =>
    money && money.currency !== currency ? [ordersFields.otherCurrency(currency, `/${name}`)] : [],
  );
}

/**
 * Adds an option under `id`. A repeated request changes nothing. Throws `too_many_shipping_options` beyond 100.
 */
export function addOption(
  current: ShippingOptions | null,
  id: string,
  { price, freeFrom, ...given }: ordersHttp.ShippingOptionCreation,
  { actor, now }: Omit<Context, 'expect'>,
): OptionsDecision<StoredOption> {
  const before = current ?? { id: allOptions, options: [] };
  const known = before.options.find((option) => option.id === id);
  if (known) return unchanged(known);
  if (before.options.length >= maxOptions) throw ordersErrors.tooManyShippingOptions(maxOptions);
  const option = {
    ...given,
    id,
    price: price.amount,
    freeFrom: freeFrom && freeFrom.amount,
    currency: price.currency,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  const after = { ...before, options: [...before.options, option] };
  return changed(after, [entry(actor, 'shipping-option-created', option)], option);
}

/** Changes an option. Throws `not_found`. */
export function changeOption(
  current: ShippingOptions | null,
  id: string,
  { price, freeFrom, ...change }: ordersHttp.ShippingOptionChange,
  { actor, now, expect }: Context,
): OptionsDecision<StoredOption> {
  const option = find(current, id);
  expect(option.version);
  const next = {
    ...option,
    ...change,
    ...(price && { price: price.amount, currency: price.currency }),
    ...(freeFrom !== undefined && { freeFrom: freeFrom && freeFrom.amount }),
    version: option.version + 1,
    updatedAt: now,
  };
  const options = optionsOf(current).map((other) => (other.id === id ? next : other));
  const names = Object.keys({ ...change, ...(price && { price }), ...(freeFrom !== undefined && { freeFrom }) });
  const facts = [entry(actor, 'shipping-option-changed', next, { fields: names.join(', ') })];
  return changed({ id: allOptions, options }, facts, next);
}

/** Deletes an option. Throws `not_found`. */
export function deleteOption(
  current: ShippingOptions | null,
  id: string,
  { actor, expect }: Omit<Context, 'now'>,
): OptionsDecision<null> {
  const option = find(current, id);
  expect(option.version);
  const options = optionsOf(current).filter((other) => other.id !== id);
  return changed({ id: allOptions, options }, [entry(actor, 'shipping-option-deleted', option)], null);
}

/** A page of the options, the newest first. */
export function pageOfOptions(current: ShippingOptions | null, { limit, after }: Slice): PageOf<StoredOption> {
  const newestFirst = optionsOf(current).toSorted(
    (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1),
  );
  const from = newestFirst.filter((option) => after === undefined || isAfter(option, after));
  const items = from.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last && from.length > limit ? [last.createdAt, last.id] : null };
}

export function find(current: ShippingOptions | null, id: string): StoredOption {
  const option = optionsOf(current).find((each) => each.id === id);
  if (!option) throw notFound('shipping option');
  return option;
}

export function optionsOf(current: ShippingOptions | null): readonly StoredOption[] {
  return current?.options ?? [];
}

function isAfter({ createdAt, id }: StoredOption, [time, lastId]: Position): boolean {
  const [at, lastAt] = [createdAt.getTime(), Number(time)];
  return at < lastAt || (at === lastAt && id < String(lastId));
}

function entry(
  actor: Actor,
  action: AuditAction,
  { id, name }: ShippingOption,
  details: Readonly<Record<string, string>> = {},
): Fact {
  return audited('orders', actor, action, { object: { type: 'shipping option', id }, details: { name, ...details } });
}
