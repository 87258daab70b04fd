import { accountEvents, type Event } from '@storefront/contracts';
import { eventAt } from '../event-at.ts';
import type { Shop } from '../shop.ts';

/** Something that few reports count: an address or a saved recipient. */
export function publishOther(shop: Shop, publish: (event: Event) => void): void {
  const { random } = shop;
  const { userId } = random.pick(shop.users);
  const moment = shop.moment();
  const events = [
    () =>
      eventAt(shop, moment, accountEvents.addressChanged, userId, {
        addressId: shop.id('addr'),
        change: 'created',
        country: 'DE',
        isDefault: true,
      }),
    () =>
      eventAt(shop, moment, accountEvents.customerSaved, shop.id('cust'), {
        userId,
        change: 'created',
        by: 'user',
        orderCount: 0,
      }),
  ];
  publish(random.pick(events)());
}
