import { newId } from '@storefront/contracts';
import { call, logIn } from '../api.ts';
import type { BenchContext } from '../context.ts';
import type { StackProcess } from '../system/stack-process.ts';
import { addNotifications } from './notifications.ts';
import { copyUsers } from './users.ts';

/** A user with addresses and notifications. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** The id of one of the addresses. */
  readonly addressId: string;
}

const addressesEach = 3;
const notificationsEach = 30;

/**
 * Creates `count` people. Their accounts are copies of the demo account, their addresses are created through the API.
 */
export async function createPeople(
  context: BenchContext,
  { gateways, accounts, database }: StackProcess,
  count: number,
): Promise<Person[]> {
  const [gateway = ''] = gateways;
  context.say(`Making ${count} people …`);
  const { password } = accounts.retail;
  const users = Array.from({ length: count }, (_, at) => ({
    id: newId('user'),
    email: `person-${at}@bench.example.com`,
  }));
  await copyUsers(context, accounts.retail.email, users, database);
  const people: Person[] = [];
  for (const { id, email } of users) {
    const token = await logIn(gateway, { email, password });
    const addressIds: string[] = [];
    for (let at = 0; at < addressesEach; at += 1) {
      const body = {
        contactPhone: '+31 20 123 4567',
        homeAddress: `Herengracht ${at}`,
        city: 'Amsterdam',
        country: 'NL',
      };
      addressIds.push((await call<{ id: string }>(gateway, 'POST', '/v1/users/me/addresses', { token, body })).id);
    }
    people.push({ id, email, password, addressId: addressIds[0] ?? '' });
  }
  const readers = people.map(({ id }) => id);
  await addNotifications(context, { readers, each: notificationsEach, prefix: database });
  return people;
}

/** Adds categories: the demo shop has eight, and a workload lists ten. */
export async function completeShop({ gateways, accounts }: StackProcess): Promise<void> {
  const [gateway = ''] = gateways;
  const token = await logIn(gateway, accounts.admin);
  for (const name of ['Gift cards', 'Seasonal', 'Outlet'])
    await call(gateway, 'POST', '/v1/categories', { token, body: { name, position: 90 } });
}
