import { searchWords } from '@storefront/contracts';
import type { Person } from './person.ts';

/** The keys by which an order's recipient is looked up among the saved recipients. */
export function identityKeys({ firstName, lastName, email, phone }: Omit<Person, 'address'>): string[] {
  return [
    ...(email === null ? [] : [`email:${email}`]),
    ...(phone === null ? [] : [`phone:${phone}`]),
    `name:${nameOf({ firstName, lastName })}`,
  ];
}

/**
 * The saved recipient that an order is for, or null where the order is for a new person. Compares the email where both
 * have one, else the phone where both have one, else the name. An equal email counts more than an equal phone, and an
 * equal phone more than an equal name. Of several recipients that match equally well the oldest is returned.
 */
export function recognise<Saved extends Person & { readonly createdAt: Date }>(
  person: Person,
  candidates: readonly Saved[],
): Saved | null {
  const fitting = candidates
    .map((customer) => ({ customer, rank: sameness(person, customer) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank || a.customer.createdAt.getTime() - b.customer.createdAt.getTime());
  return fitting[0]?.customer ?? null;
}

function sameness(person: Person, customer: Person): number {
  if (person.email !== null && customer.email !== null) return person.email === customer.email ? 3 : 0;
  if (person.phone !== null && customer.phone !== null) return person.phone === customer.phone ? 2 : 0;
  return nameOf(person) === nameOf(customer) ? 1 : 0;
}

function nameOf({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return searchWords(`${firstName} ${lastName}`).join(' ');
}
