import {
  accountErrors,
  accountEvents,
  changed,
  deleted,
  fact,
  notFound,
  unchanged,
  type accountHttp,
  type Decision,
  type Fact,
  type FieldError,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';
import { identityKeys } from './match.ts';
import { person, type Person, type PostalAddress } from './person.ts';
import { phoneErrors, toE164OrRefuse } from './phone.ts';
import { searchTokens } from './search.ts';

/** A saved recipient: a person for whom a user orders. */
export const customer = z.object({
  /** Made of the owner's id and the recipient's id, so that no query finds a recipient without naming the owner. */
  id: z.string(),
  owner: z.string(),
  customerId: z.string(),
  ...person.shape,
  note: z.string().nullable(),
  orderCount: z.int(),
  lastOrderedAt: z.date().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
  /** The words by which a search finds the recipient. */
  tokens: z.array(z.string()),
  /** The keys by which the recipient of an order is recognised. */
  keys: z.array(z.string()),
});
export type Customer = StateOf<typeof customer>;

/** How many recipients a user can have. */
export const maxCustomers = 5000;

export function customerKey(owner: string, customerId: string): string {
  return `${owner}/${customerId}`;
}

/**
 * Errors that the schema of a recipient can't find: a wrong phone number. A number without + is checked only where the
 * request has an address.
 */
export function customerErrors(given: Partial<accountHttp.CustomerChange>): readonly FieldError[] {
  const { phone, address } = given;
  if (phone === undefined || phone === null || (address === undefined && !phone.startsWith('+'))) return [];
  return phoneErrors('phone', phone, address?.country);
}

/**
 * Adds a recipient. `saved` is how many recipients the owner has. If the id already exists, the request is a repeated
 * one and changes nothing. Throws `too_many_customers` where the owner has 5,000.
 */
export function addCustomer(
  current: Customer | null,
  owner: string,
  customerId: string,
  given: accountHttp.CustomerCreation,
  saved: number,
  now: Date,
): Decision<Customer, Customer> {
  if (current) return unchanged(current);
  if (saved >= maxCustomers) throw accountErrors.tooManyCustomers(maxCustomers);
  const { note, ...person } = given;
  const customer = newCustomer(owner, customerId, { ...person, phone: phoneOf(given) }, note, now);
  return changed(customer, [savedFact(customer, 'created', 'user')]);
}

export function changeCustomer(
  current: Customer | null,
  change: accountHttp.CustomerChange,
  now: Date,
): Decision<Customer, Customer> {
  if (!current) throw notFound('customer');
  const next = { ...current, ...change };
  // Checked only if the request has a phone: the stored one may come from an order and be a valid number of no country.
  if (change.phone !== undefined) next.phone = phoneOf(next);
  const customer = { ...withIndexes(next), updatedAt: now };
  return changed(customer, [savedFact(customer, 'changed', 'user')]);
}

export function deleteCustomer(current: Customer | null): Decision<Customer, null> {
  if (!current) throw notFound('customer');
  return deleted([], null);
}

/**
 * Counts an order for a recipient, or for a new recipient where `current` is null. An empty email, phone or address is
 * filled from the order.
 */
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
  return changed(customer, [savedFact(customer, current ? 'ordered-for' : 'created', 'order')]);
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
  return phone === null ? null : toE164OrRefuse('phone', phone, address?.country);
}

function savedFact(
  { owner, customerId, orderCount }: Customer,
  change: 'created' | 'changed' | 'ordered-for',
  by: 'user' | 'order',
): Fact {
  return fact(accountEvents.customerSaved, customerId, { userId: owner, change, by, orderCount });
}
