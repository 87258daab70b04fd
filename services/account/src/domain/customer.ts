import { accountEvents, fact } from '@storefront/contracts';
import type { accountHttp, Fact } from '@storefront/contracts';
import { changed, deleted, unchanged } from '@storefront/outbox/decision';
import type { Decision } from '@storefront/outbox/decision';
import { notFound } from '@storefront/service-kit/problem';
import { invalidPhone } from './errors.ts';
import { identityKeys } from './match.ts';
import type { Person, PostalAddress } from './person.ts';
import { toE164 } from './phone.ts';
import { searchTokens } from './search.ts';

/** A saved recipient: somebody whom a user orders for. */
export interface Customer extends Person {
  /** The owner and the recipient's own id: so no query finds one without naming whose it is. */
  readonly id: string;
  readonly owner: string;
  readonly customerId: string;
  readonly note: string | null;
  readonly orderCount: number;
  readonly lastOrderedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** What it is searched by. */
  readonly tokens: readonly string[];
  /** What an order's recipient is recognised by. */
  readonly keys: readonly string[];
}

export function customerKey(owner: string, customerId: string): string {
  return `${owner}/${customerId}`;
}

/** Adds a recipient under its id; where there is one already, this has happened before and changes nothing. */
export function addCustomer(
  current: Customer | null,
  owner: string,
  customerId: string,
  given: accountHttp.CustomerCreation,
  now: Date,
): Decision<Customer, Customer> {
  if (current) return unchanged(current);
  const { note, ...person } = given;
  const customer = newCustomer(owner, customerId, { ...person, phone: phoneOf(given) }, note, now);
  return changed(customer, [saved(customer, 'created', 'user')]);
}

export function changeCustomer(
  current: Customer | null,
  change: accountHttp.CustomerChange,
  now: Date,
): Decision<Customer, Customer> {
  if (!current) throw notFound('customer');
  const next = { ...current, ...change };
  // Read anew only where it was given: an order may have brought one that is no number of any country.
  if (change.phone !== undefined) next.phone = phoneOf(next);
  const customer = { ...withIndexes(next), updatedAt: now };
  return changed(customer, [saved(customer, 'changed', 'user')]);
}

export function deleteCustomer(current: Customer | null): Decision<Customer, null> {
  if (!current) throw notFound('customer');
  return deleted([], null);
}

/** Counts an order for a recipient, who is a new one where `current` is null. What was not known yet is taken over. */
export function countOrder(
  current: Customer | null,
  owner: string,
  customerId: string,
  person: Person,
  placedAt: Date,
  now: Date,
): Decision<Customer, Customer> {
  const known = current ?? newCustomer(owner, customerId, person, null, now);
  const last = known.lastOrderedAt;
  const customer = {
    ...withIndexes({
      ...known,
      email: known.email ?? person.email,
      phone: known.phone ?? person.phone,
      address: known.address ?? person.address,
    }),
    orderCount: known.orderCount + 1,
    lastOrderedAt: last !== null && last > placedAt ? last : placedAt,
    updatedAt: now,
  };
  return changed(customer, [saved(customer, current ? 'ordered-for' : 'created', 'order')]);
}

function newCustomer(owner: string, customerId: string, person: Person, note: string | null, now: Date): Customer {
  return withIndexes({
    ...person,
    id: customerKey(owner, customerId),
    owner,
    customerId,
    note,
    orderCount: 0,
    lastOrderedAt: null,
    createdAt: now,
    updatedAt: now,
    tokens: [],
    keys: [],
  });
}

function withIndexes(customer: Customer): Customer {
  return { ...customer, tokens: searchTokens(customer), keys: identityKeys(customer) };
}

function phoneOf({ phone, address }: { phone: string | null; address: PostalAddress | null }): string | null {
  if (phone === null) return null;
  const e164 = toE164(phone, address?.country);
  if (e164 === null) throw invalidPhone('phone', address?.country);
  return e164;
}

function saved(
  { owner, customerId, orderCount }: Customer,
  change: 'created' | 'changed' | 'ordered-for',
  by: 'user' | 'order',
): Fact {
  return fact(accountEvents.customerSaved, customerId, { userId: owner, change, by, orderCount });
}
