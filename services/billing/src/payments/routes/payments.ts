import type { billingOperations } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';

type Operation = 'listPayments' | 'createPayment' | 'getPayment' | 'allocatePayment';

export function paymentHandlers(_parts: object): Pick<Handlers<typeof billingOperations>, Operation> {
  const missing = (): never => {
    throw new Error('not built yet');
  };
  return { listPayments: missing, createPayment: missing, getPayment: missing, allocatePayment: missing };
}
