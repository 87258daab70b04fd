import { accountEvents, catalogEvents, engagementEvents, type Event } from '@storefront/contracts';
import { eventAt } from '../tell.ts';
import type { World } from '../world.ts';

/** Something that is in few sums or in none: an address, a saved recipient, the catalog, a campaign that begins or ends. */
export function tellOther(world: World, tell: (event: Event) => void): void {
  const { random } = world;
  const { userId } = random.pick(world.users);
  const productId = random.pick(world.products);
  const moment = world.moment();
  const category = { id: world.id('cat'), name: 'Tea', slug: 'tea', parentId: null, path: [], isActive: true };
  const tells = [
    () =>
      eventAt(world, moment, accountEvents.addressChanged, userId, {
        addressId: world.id('addr'),
        change: 'created',
        country: 'DE',
        isDefault: true,
      }),
    () =>
      eventAt(world, moment, accountEvents.customerSaved, world.id('cust'), {
        userId,
        change: 'created',
        by: 'user',
        orderCount: 0,
      }),
    () => eventAt(world, moment, catalogEvents.categoryCreated, category.id, category),
    () => eventAt(world, moment, catalogEvents.productDeleted, productId, { id: productId, sku: 'TEA', name: 'Tea' }),
    () =>
      eventAt(world, moment, engagementEvents.campaignEnded, random.pick(world.campaigns), {
        name: 'Summer',
        reason: 'end-reached',
        endedAt: new Date(moment).toISOString(),
      }),
  ];
  tell(random.pick(tells)());
}
