import { allPages, commonErrors, Refusal, type Decision } from '@storefront/contracts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addAddress,
  addressErrors,
  changeAddress,
  deleteAddress,
  maxAddresses,
  newestFirst,
  pageOfAddresses,
  type AddressBook,
} from './address-book.ts';

const given = {
  contactPhone: '020 123 4567',
  homeAddress: 'Keizersgracht 1',
  state: null,
  city: 'Amsterdam',
  country: 'NL',
  isDefault: false,
};
const expectAny = () => undefined;
const day = (number: number) => new Date(Date.UTC(2026, 0, number));

function after(book: AddressBook | null, decision: Decision<AddressBook, unknown>): AddressBook | null {
  return decision.kind === 'changed' ? decision.state : book;
}
const add = (book: AddressBook | null, id: string, more: Partial<typeof given> = {}, now = day(1)) =>
  after(book, addAddress(book, 'user_1', id, { ...given, ...more }, now)) as AddressBook;
const at = (now: Date) => ({ now, expect: expectAny });
const defaults = (book: AddressBook) => newestFirst(book).filter(({ isDefault }) => isDefault);

describe('the default address', () => {
  it('is exactly one while there is any, whatever is done in whatever order', () => {
    const step = fc.record({
      what: fc.constantFrom('add', 'add as default', 'make default', 'delete', 'undo default', 'edit'),
      which: fc.nat(9),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let book: AddressBook | null = null;
        for (const [index, { what, which }] of steps.entries()) {
          const now = day(index + 1);
          const id: string = book?.addresses[which % (book.addresses.length || 1)]?.id ?? 'none';
          try {
            if (what === 'add') book = add(book, `addr_${index}`, {}, now);
            else if (what === 'add as default') book = add(book, `addr_${index}`, { isDefault: true }, now);
            else if (what === 'delete') book = after(book, deleteAddress(book, id, at(now)));
            else {
              const change = what === 'edit' ? { city: `City ${index}` } : { isDefault: what === 'make default' };
              book = after(book, changeAddress(book, id, change, at(now)));
            }
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
          }
          expect(book ? defaults(book).length : 0).toBe(book && book.addresses.length > 0 ? 1 : 0);
        }
      }),
    );
  });

  it('is the newest of the others once it is deleted', () => {
    let book = add(null, 'addr_a', {}, day(1));
    book = add(book, 'addr_b', {}, day(2));
    book = add(book, 'addr_c', {}, day(3));
    expect(defaults(book)[0]?.id).toBe('addr_a');
    expect(defaults(after(book, deleteAddress(book, 'addr_a', at(day(4)))) as AddressBook)[0]?.id).toBe('addr_c');
  });

  it('stays where another address is deleted', () => {
    const book = add(add(add(null, 'addr_a', {}, day(1)), 'addr_b', {}, day(2)), 'addr_c', {}, day(3));
    const left = after(book, deleteAddress(book, 'addr_b', at(day(4)))) as AddressBook;
    expect(defaults(left).map(({ id }) => id)).toEqual(['addr_a']);
  });

  it('leaves both the old and the new one at another version when it moves', () => {
    const book = add(add(null, 'addr_a'), 'addr_b');
    const next = after(book, changeAddress(book, 'addr_b', { isDefault: true }, at(day(5))));
    expect(next?.addresses.map(({ id, version }) => [id, version])).toEqual([
      ['addr_a', 2],
      ['addr_b', 2],
    ]);
  });

  it('can not be given up for none', () => {
    const book = add(null, 'addr_a');
    expect(() => changeAddress(book, 'addr_a', { isDefault: false }, at(day(2)))).toThrow(
      expect.objectContaining({ kind: 'rule', code: 'default_required' }),
    );
  });
});

describe('a change of an address', () => {
  const book = add(null, 'addr_a');

  it('that makes no difference is none', () => {
    const same = { city: 'Amsterdam', contactPhone: '+31201234567', isDefault: true };
    expect(changeAddress(book, 'addr_a', same, at(day(2))).kind).toBe('unchanged');
  });

  it('leaves the stored phone as it is where the change has none', () => {
    const old = { ...book, addresses: book.addresses.map((each) => ({ ...each, contactPhone: '+31 stored' })) };
    const moved = changeAddress(old, 'addr_a', { homeAddress: 'Herengracht 2', country: 'BE' }, at(day(2)));
    expect(moved.result).toMatchObject({ contactPhone: '+31 stored', homeAddress: 'Herengracht 2', country: 'BE' });
  });

  it('reads the phone by the country as it will be', () => {
    const moved = changeAddress(book, 'addr_a', { country: 'BE', contactPhone: '02 123 45 67' }, at(day(2)));
    expect(after(book, moved)?.addresses[0]?.contactPhone).toBe('+3221234567');
    expect(() => changeAddress(book, 'addr_a', { contactPhone: '1' }, at(day(2)))).toThrow(
      expect.objectContaining({ kind: 'invalid', fields: [expect.objectContaining({ pointer: '/contactPhone' })] }),
    );
  });

  it('is refused where the client has seen another version', () => {
    const expectSeven = (version: number) => {
      if (version !== 7) throw commonErrors.versionMismatch();
    };
    expect(() => changeAddress(book, 'addr_a', { city: 'Delft' }, { now: day(2), expect: expectSeven })).toThrow(
      expect.objectContaining({ kind: 'stale' }),
    );
  });
});

it('the phone number of a change is checked only with its country', () => {
  const wrong = { contactPhone: '020 123 4567 89012' };
  expect(addressErrors({ ...wrong, country: 'NL' })).toMatchObject([{ pointer: '/contactPhone' }]);
  expect(addressErrors(wrong)).toEqual([]);
  expect(addressErrors({ country: 'NL' })).toEqual([]);
});

it('a list has each address once, also where several are of the same moment', async () => {
  const ids = ['addr_b', 'addr_d', 'addr_a', 'addr_c'];
  const ofOneMoment = ids.reduce((others, id) => add(others, id, {}, day(2)), add(null, 'addr_e'));
  const book = add(ofOneMoment, 'addr_0', {}, day(3));
  const pages: string[][] = [];
  for await (const items of allPages(async (slice) => pageOfAddresses(book, slice), 2))
    pages.push(items.map(({ id }) => id));
  expect(pages).toEqual([
    ['addr_0', 'addr_d'],
    ['addr_c', 'addr_b'],
    ['addr_a', 'addr_e'],
  ]);
});

describe('adding an address', () => {
  it('under an id that is there changes nothing', () => {
    const book = add(null, 'addr_a');
    expect(addAddress(book, 'user_1', 'addr_a', given, day(2)).kind).toBe('unchanged');
  });

  it(`ends at ${maxAddresses}`, () => {
    let book: AddressBook | null = null;
    for (let index = 0; index < maxAddresses; index += 1) book = add(book, `addr_${index}`);
    expect(() => addAddress(book, 'user_1', 'addr_more', given, day(2))).toThrow(
      expect.objectContaining({ kind: 'rule', code: 'too_many_addresses' }),
    );
  });
});
