import { accountOperations } from './account.ts';
import { billingOperations } from './billing.ts';
import { catalogOperations } from './catalog.ts';
import { engagementOperations } from './engagement.ts';
import { gatewayOperations } from './gateway.ts';
import { healthOperations } from './health.ts';
import { identityOperations } from './identity.ts';
import { ordersOperations } from './orders.ts';

/** The public API: the operations of each service, and those that the gateway answers itself. */
export const operations = {
  identity: identityOperations,
  account: accountOperations,
  catalog: catalogOperations,
  engagement: engagementOperations,
  billing: billingOperations,
  orders: ordersOperations,
  health: healthOperations,
  gateway: gatewayOperations,
} as const;

export type ServiceName = Exclude<keyof typeof operations, 'gateway'>;

/** The services behind the gateway. */
export const serviceNames = Object.keys(operations).filter((name): name is ServiceName => name !== 'gateway');
