import {
  accountErrors,
  accountEvents,
  changed,
  fact,
  notFound,
  unchanged,
  type accountHttp,
  type Decision,
  type Fact,
  type FieldError,
  type PageOf,
  type Position,
  type Slice,
  type StateOf,
} from '@storefront/contracts';
import { z } from 'zod';
import { postalAddress } from './person.ts';
import { phoneErrors, toE164OrRefuse } from './phone.ts';

export const maxAddresses = 50;

/** One postal address of a user. */
const address = z.object({
  id: z.string(),
  /**
   * Increases with each change of this address, also when the address becomes the default or stops being the default.
   */
  version: z.int(),
  /** E.164. */
  contactPhone: z.string(),
  ...postalAddress.shape,
  createdAt: z.date(),
  updatedAt: z.date(),
});
type Address = StateOf<typeof address>;

/**
 * All addresses of a user. The default is stored once, in the book and not in the addresses, so that there can't be two
 * defaults, or addresses without a default.
 */
export const addressBook = z.object({
  /** The user's id. */
  id: z.string(),
  /** Null only while the book has no address. */
  defaultId: z.string().nullable(),
  /** The oldest first. */
  addresses: z.array(address),
});
export type AddressBook = StateOf<typeof addressBook>;

/** An address, and whether it is the default, which only its book knows. */
export type ListedAddress = Address & { readonly isDefault: boolean };

type BookDecision<Result> = Decision<AddressBook, Result>;

/** `expect` checks the version of the address: it throws where the client has read another version. */
interface Context {
  readonly now: Date;
  readonly expect: (version: number) => void;
}

/**
 * Errors that the schema of an address can't find: a phone number that is wrong for the country. Without a country the
 * phone number is not checked.
 */
export function addressErrors(given: Partial<accountHttp.AddressChange>): readonly FieldError[] {
  const { contactPhone, country } = given;
  return contactPhone === undefined || country === undefined ? [] : phoneErrors('contactPhone', contactPhone, country);
}

/**
 * Adds an address under `id`. If the book already has that id, the request is a repeated one and changes nothing.
 * Throws `too_many_addresses` beyond 50.
 */
export function addAddress(
  book: AddressBook | null,
  userId: string,
  id: string,
  given: accountHttp.AddressCreation,
  now: Date,
): BookDecision<ListedAddress> {
  const before = book ?? { id: userId, defaultId: null, addresses: [] };
  const known = before.addresses.find((address) => address.id === id);
  if (known) return unchanged(listed(before, known));
  if (before.addresses.length >= maxAddresses) throw accountErrors.tooManyAddresses(maxAddresses);
  const { isDefault, ...fields } = given;
  const contactPhone = toE164OrRefuse('contactPhone', given.contactPhone, given.country);
  const address: Address = { ...fields, id, version: 1, contactPhone, createdAt: now, updatedAt: now };
  const extended = { ...before, addresses: [...before.addresses, address] };
  const after = isDefault || before.defaultId === null ? withDefault(extended, id, now) : extended;
  const result = listed(after, address);
  return changed(after, [addressChangedFact(userId, result, 'created')], result);
}

export function changeAddress(
  book: AddressBook | null,
  addressId: string,
  change: accountHttp.AddressChange,
  { now, expect }: Context,
): BookDecision<ListedAddress> {
  const { before, address } = find(book, addressId);
  expect(address.version);
  const isDefault = before.defaultId === addressId;
  if (isDefault && change.isDefault === false) throw accountErrors.defaultRequired();
  const fields = merged(address, change);
  const promoted = change.isDefault === true && !isDefault;
  if (!promoted && fields === address) return unchanged(listed(before, address));

  const next = fields === address ? address : { ...fields, version: address.version + 1, updatedAt: now };
  const edited = replace(before, next);
  const after = promoted ? withDefault(edited, addressId, now) : edited;
  const result = listed(after, find(after, addressId).address);
  return changed(after, [addressChangedFact(before.id, result, 'changed')], result);
}

/** Deletes an address. If it was the default, the newest remaining address becomes the default. */
export function deleteAddress(
  book: AddressBook | null,
  addressId: string,
  { now, expect }: Context,
): BookDecision<null> {
  const { before, address } = find(book, addressId);
  expect(address.version);
  const left = { ...before, addresses: before.addresses.filter(({ id }) => id !== addressId) };
  const facts = [addressChangedFact(before.id, listed(before, address), 'deleted')];
  if (before.defaultId !== addressId) return changed(left, facts, null);
  const nextDefault = newestFirst(left)[0];
  return changed(nextDefault ? withDefault(left, nextDefault.id, now) : { ...left, defaultId: null }, facts, null);
}

export function findAddress(book: AddressBook | null, addressId: string): ListedAddress {
  const { before, address } = find(book, addressId);
  return listed(before, address);
}

export function newestFirst(book: AddressBook | null): ListedAddress[] {
  return (book?.addresses ?? [])
    .map((address) => listed(book as AddressBook, address))
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
}

/** A page of the addresses, the newest first. */
export function pageOfAddresses(book: AddressBook | null, { limit, after }: Slice): PageOf<ListedAddress> {
  const from = newestFirst(book).filter((address) => after === undefined || isAfter(address, after));
  const items = from.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last && from.length > limit ? [last.createdAt, last.id] : null };
}

function isAfter({ createdAt, id }: Address, [time, lastId]: Position): boolean {
  const [at, lastAt] = [createdAt.getTime(), Number(time)];
  return at < lastAt || (at === lastAt && id < String(lastId));
}

function find(book: AddressBook | null, addressId: string): { before: AddressBook; address: Address } {
  const address = book?.addresses.find(({ id }) => id === addressId);
  if (!book || !address) throw notFound('address');
  return { before: book, address };
}

/** Returns the same object where the change makes no difference. */
function merged(address: Address, { isDefault: _isDefault, ...change }: accountHttp.AddressChange): Address {
  const next = { ...address, ...change };
  // The number is read by the country after the change: without a country calling code the same digits mean another
  // number in another country. The stored number has the code.
  if (change.contactPhone !== undefined)
    next.contactPhone = toE164OrRefuse('contactPhone', change.contactPhone, next.country);
  const fields = ['contactPhone', 'homeAddress', 'state', 'city', 'country'] as const;
  return fields.some((field) => next[field] !== address[field]) ? next : address;
}

function replace(book: AddressBook, address: Address): AddressBook {
  return { ...book, addresses: book.addresses.map((other) => (other.id === address.id ? address : other)) };
}

/**
 * Makes an address the default. The new default and the former one get a new version, unless this request has just
 * created or changed them.
 */
function withDefault(book: AddressBook, id: string, now: Date): AddressBook {
  const withNewVersion = (address: Address): Address =>
    address.updatedAt === now ? address : { ...address, version: address.version + 1, updatedAt: now };
  return {
    ...book,
    defaultId: id,
    addresses: book.addresses.map((address) =>
      address.id === id || address.id === book.defaultId ? withNewVersion(address) : address,
    ),
  };
}

function listed(book: AddressBook, address: Address): ListedAddress {
  return { ...address, isDefault: address.id === book.defaultId };
}

function addressChangedFact(
  userId: string,
  { id, country, isDefault }: ListedAddress,
  change: 'created' | 'changed' | 'deleted',
): Fact {
  return fact(accountEvents.addressChanged, userId, { addressId: id, change, country, isDefault });
}
