import type { ordersOperations } from '@storefront/contracts';
import { cartRows } from './carts.ts';
import { orderRows } from './checkout.ts';
import type { RowsOf } from './row.ts';

export const ordersRows: RowsOf<typeof ordersOperations> = { ...cartRows, ...orderRows };
