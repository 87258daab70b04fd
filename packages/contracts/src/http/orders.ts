import { mergeOperations } from './operation.ts';
import { cartOperations } from './orders/carts.ts';
import { orderOperations } from './orders/orders.ts';
import { shippingOptionOperations } from './orders/shipping-options.ts';
import { taxRateOperations } from './orders/tax-rates.ts';

export * from './orders/carts.ts';
export * from './orders/orders.ts';
export * from './orders/shipping-options.ts';
export * from './orders/tax-rates.ts';

export const ordersOperations = mergeOperations(
  cartOperations,
  orderOperations,
  shippingOptionOperations,
  taxRateOperations,
);
