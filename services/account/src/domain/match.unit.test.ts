import { expect, it } from 'vitest';
import type { Customer } from './customer.ts';
import { identityKeys, recognise } from './match.ts';

type Traits = { name?: string; email?: string; phone?: string; on?: number };

const person = ({ name = 'Ada Lovelace', email, phone }: Traits) => {
  const [firstName = '', lastName = ''] = name.split(' ');
  return { firstName, lastName, email: email ?? null, phone: phone ?? null, address: null };
};
const saved = (id: string, traits: Traits) =>
  ({ ...person(traits), customerId: id, createdAt: new Date(traits.on ?? 0) }) as Customer;

it.each<[string, Traits, Customer[], string | null]>([
  ['the same email', { email: 'a@x.org' }, [saved('1', { email: 'a@x.org', name: 'A L' })], '1'],
  ['another email', { email: 'b@x.org' }, [saved('1', { email: 'a@x.org' })], null],
  [
    'the same phone, where no email says otherwise',
    { phone: '+311' },
    [saved('1', { email: 'a@x.org', phone: '+311' })],
    '1',
  ],
  ['another phone', { phone: '+312' }, [saved('1', { phone: '+311' })], null],
  ['the same name alone, whatever its accents', { name: 'Ada Lovélace' }, [saved('1', { phone: '+311' })], '1'],
  ['another name alone', { name: 'Ada Byron' }, [saved('1', {})], null],
  [
    'the email before the name',
    { email: 'a@x.org' },
    [saved('name', {}), saved('email', { email: 'a@x.org', name: 'A L', on: 5 })],
    'email',
  ],
  ['the oldest of several', { name: 'Ada Lovelace' }, [saved('new', { on: 9 }), saved('old', { on: 1 })], 'old'],
])('an order for %s', (_what, order, candidates, expected) => {
  expect(recognise(person(order), candidates)?.customerId ?? null).toBe(expected);
});

it('is looked up by every trait that may decide', () => {
  expect(identityKeys(person({ email: 'a@x.org', phone: '+311' }))).toEqual([
    'email:a@x.org',
    'phone:+311',
    'name:ada lovelace',
  ]);
});
