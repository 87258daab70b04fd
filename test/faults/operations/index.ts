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

/** All operations of the mix. A new area is a file of its own and a line here. */
export const operations: readonly TestOperation[] = [
  ...registration,
  ...trade,
  ...sessions,
  ...notifications,
  ...account,
  ...catalog,
  ...discounts,
  ...invoices,
  ...orders,
  ...analytics,
  ...userData,
];
