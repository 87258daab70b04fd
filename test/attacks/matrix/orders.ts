import type { ordersOperations } from '@storefront/contracts';
import { expectStatus } from '../system/people.ts';
import { id, type RowsOf } from './row.ts';

export const ordersRows: RowsOf<typeof ordersOperations> = {};
