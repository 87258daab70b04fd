import { mergeOperations } from './operation.ts';
import { orderOperations } from './orders/orders.ts';

export * from './orders/orders.ts';

export const ordersOperations = mergeOperations(orderOperations);
