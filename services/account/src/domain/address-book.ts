import { accountEvents, fact } from '@storefront/contracts';
import type { accountHttp, Fact } from '@storefront/contracts';
import { changed, unchanged } from '@storefront/outbox/decision';
import type { Decision } from '@storefront/outbox/decision';
import { notFound } from '@storefront/service-kit/problem';
import { defaultRequired, invalidPhone, tooManyAddresses } from './errors.ts';
import { toE164 } from './phone.ts';

export const maxAddresses = 50;

interface Address {
  readonly id: string;
  /** Counts the changes of this one address, that of being the default included. */
  readonly version: number;
  /** E.164. */
  readonly contactPhone: string;
  readonly homeAddress: string;
  readonly state: string | null;
  readonly city: string;
  readonly country: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * All addresses of a user. The default is named once, in the book and not in the addresses, so that there can be neither
 * two of them nor none.
 */
export interface AddressBook {
  /** The user's id. */
  readonly id: string;
  /** Null only while there is no address. */
  readonly defaultId: string | null;
  /** The oldest first. */
  readonly addresses: readonly Address[];
}

/** An address together with what only its book knows. */
export type Listed = Address & { readonly isDefault: boolean };

type Decided<Result> = Decision<AddressBook, Result>;

/** `version` of the address is checked by `expect`, which throws where a client has seen another one. */
interface Context {
  readonly now: Date;
  readonly expect: (version: number) => void;
}

/** Adds an address under `id`; where that id is in the book already, this has happened before and changes nothing. */
export function addAddress(
  book: AddressBook | null,
  userId: string,
  id: string,
  given: accountHttp.AddressCreation,
  now: Date,
): Decided<Listed> {
  const before = book ?? { id: userId, defaultId: null, addresses: [] };
  const known = before.addresses.find((address) => address.id === id);
  if (known) return unchanged(listed(before, known));
  if (before.addresses.length >= maxAddresses) throw tooManyAddresses(maxAddresses);
  const { isDefault, ...fields } = given;
  const contactPhone = phoneOf(given.contactPhone, given.country);
  const address: Address = { ...fields, id, version: 1, contactPhone, createdAt: now, updatedAt: now };
  const extended = { ...before, addresses: [...before.addresses, address] };
  const after = isDefault || before.defaultId === null ? withDefault(extended, id, now) : extended;
  const result = listed(after, address);
  return changed(after, [told(userId, result, 'created')], result);
}

export function changeAddress(
  book: AddressBook | null,
  addressId: string,
  change: accountHttp.AddressChange,
  { now, expect }: Context,
): Decided<Listed> {
  const { before, address } = find(book, addressId);
  expect(address.version);
  const isDefault = before.defaultId === addressId;
  if (isDefault && change.isDefault === false) throw defaultRequired();
  const fields = merged(address, change);
  const promoted = change.isDefault === true && !isDefault;
  if (!promoted && fields === address) return unchanged(listed(before, address));

  const next = fields === address ? address : { ...fields, version: address.version + 1, updatedAt: now };
  const edited = replace(before, next);
  const after = promoted ? withDefault(edited, addressId, now) : edited;
  const result = listed(after, find(after, addressId).address);
  return changed(after, [told(before.id, result, 'changed')], result);
}

/** Deletes an address; where it was the default, the newest of the others takes its place. */
export function deleteAddress(book: AddressBook | null, addressId: string, { now, expect }: Context): Decided<null> {
  const { before, address } = find(book, addressId);
  expect(address.version);
  const left = { ...before, addresses: before.addresses.filter(({ id }) => id !== addressId) };
  const facts = [told(before.id, listed(before, address), 'deleted')];
  if (before.defaultId !== addressId) return changed(left, facts, null);
  const heir = newestFirst(left)[0];
  return changed(heir ? withDefault(left, heir.id, now) : { ...left, defaultId: null }, facts, null);
}

export function findAddress(book: AddressBook | null, addressId: string): Listed {
  const { before, address } = find(book, addressId);
  return listed(before, address);
}

export function newestFirst(book: AddressBook | null): Listed[] {
  return (book?.addresses ?? [])
    .map((address) => listed(book as AddressBook, address))
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
}

function find(book: AddressBook | null, addressId: string): { before: AddressBook; address: Address } {
  const address = book?.addresses.find(({ id }) => id === addressId);
  if (!book || !address) throw notFound('address');
  return { before: book, address };
}

/** The address itself where nothing is different. */
function merged(address: Address, { isDefault: _isDefault, ...change }: accountHttp.AddressChange): Address {
  const next = { ...address, ...change };
  // By the country as it will be: a number without a country calling code means another one elsewhere.
  next.contactPhone = phoneOf(next.contactPhone, next.country);
  const fields = ['contactPhone', 'homeAddress', 'state', 'city', 'country'] as const;
  return fields.some((field) => next[field] !== address[field]) ? next : address;
}

function phoneOf(phone: string, country: string): string {
  const e164 = toE164(phone, country);
  if (e164 === null) throw invalidPhone('contactPhone', country);
  return e164;
}

function replace(book: AddressBook, address: Address): AddressBook {
  return { ...book, addresses: book.addresses.map((other) => (other.id === address.id ? address : other)) };
}

/** Both of them are different ones afterwards: the new default, unless it is new itself, and the one that was it. */
function withDefault(book: AddressBook, id: string, now: Date): AddressBook {
  const touched = (address: Address): Address =>
    address.updatedAt === now ? address : { ...address, version: address.version + 1, updatedAt: now };
  return {
    ...book,
    defaultId: id,
    addresses: book.addresses.map((address) =>
      address.id === id || address.id === book.defaultId ? touched(address) : address,
    ),
  };
}

function listed(book: AddressBook, address: Address): Listed {
  return { ...address, isDefault: address.id === book.defaultId };
}

function told(userId: string, { id, country, isDefault }: Listed, change: 'created' | 'changed' | 'deleted'): Fact {
  return fact(accountEvents.addressChanged, userId, { addressId: id, change, country, isDefault });
}
