import { account } from './account.ts';
import { analytics } from './analytics.ts';
import { catalog } from './catalog.ts';
import { discounts } from './discounts.ts';
import { invoices } from './invoices.ts';
import { notifications } from './notifications.ts';
import type { TestOperation } from './operation.ts';
import { orders } from './orders.ts';
import { registration } from './registration.ts';
import { sessions } from './sessions.ts';
import { trade } from './trade.ts';
import { userData } from './user-data.ts';

/** The operations by what they are about. A new area is a file of its own and a line here. */
const areas: readonly (readonly TestOperation[])[] = [
  registration,
  trade,
  sessions,
  notifications,
  account,
  catalog,
  discounts,
  invoices,
  orders,
  analytics,
  userData,
];

/** All operations of the mix. */
export const operations: readonly TestOperation[] = areas.flat();

/**
 * The operations of the areas with one that was never acknowledged: others of an area make what it needs, such as an order. Those
 * that make accounts are always among them, since many need one.
 */
export function stillNeeded(acknowledgedKinds: ReadonlySet<string>): readonly TestOperation[] {
  return areas.filter((area) => area === registration || area.some(({ name }) => !acknowledgedKinds.has(name))).flat();
}
