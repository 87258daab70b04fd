import type { billingOperations } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';

type Operation = 'getOwnCredit' | 'getCredit' | 'setCredit';

export function creditHandlers(_parts: object): Pick<Handlers<typeof billingOperations>, Operation> {
  const missing = (): never => {
    throw new Error('not built yet');
  };
  return { getOwnCredit: missing, getCredit: missing, setCredit: missing };
}
