import { newId } from '@storefront/contracts';
import { call, logIn } from '../api.ts';
import type { Lab } from '../lab.ts';
import type { RunningStack } from '../system/start-stack.ts';
import { copyUsers } from './users.ts';
import { addNotifications } from './notifications.ts';

/** Somebody with an account, addresses and notifications, who is logged in. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly addressId: string;
}

const addressesEach = 3;
const notificationsEach = 30;

/** Makes that many people in a system: accounts are copies of the demo's, everything else is made by the API. */
export async function makePeople(
  lab: Lab,
  { gateways, accounts, database }: RunningStack,
  count: number,
): Promise<Person[]> {
  const [gateway = ''] = gateways;
  lab.say(`Making ${count} people …`);
  const { password } = accounts.retail;
  const accountsMade = Array.from({ length: count }, (_, at) => ({
    id: newId('user'),
    email: `person-${at}@bench.example.com`,
  }));
  await copyUsers(lab, accounts.retail.email, accountsMade, database);
  const people: Person[] = [];
  for (const { id, email } of accountsMade) {
    const token = await logIn(gateway, { email, password });
    const made: string[] = [];
    for (let at = 0; at < addressesEach; at += 1) {
      const body = {
        contactPhone: '+31 20 123 4567',
        homeAddress: `Herengracht ${at}`,
        city: 'Amsterdam',
        country: 'NL',
      };
      made.push((await call<{ id: string }>(gateway, 'POST', '/v1/users/me/addresses', { token, body })).id);
    }
    people.push({ id, email, password, addressId: made[0] ?? '' });
  }
  await addNotifications(lab, { readers: people.map(({ id }) => id), each: notificationsEach, system: database });
  return people;
}

/** Demo shops have eight categories; the measure lists ten. */
export async function completeShop({ gateways, accounts }: RunningStack): Promise<void> {
  const [gateway = ''] = gateways;
  const token = await logIn(gateway, accounts.admin);
  for (const name of ['Gift cards', 'Seasonal', 'Outlet'])
    await call(gateway, 'POST', '/v1/categories', { token, body: { name, position: 90 } });
}
