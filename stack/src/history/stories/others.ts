import { accountEvents, engagementEvents, type Event } from '@storefront/contracts';
import { eventAt } from '../event-at.ts';
import type { Shop } from '../shop.ts';

/** Something that few or no reports count: an address, a saved recipient, or the end of a campaign. */
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
    () =>
      eventAt(shop, moment, engagementEvents.campaignEnded, random.pick(shop.campaigns), {
        name: 'Summer',
        reason: 'end-reached',
        endedAt: new Date(moment).toISOString(),
      }),
  ];
  publish(random.pick(events)());
}
