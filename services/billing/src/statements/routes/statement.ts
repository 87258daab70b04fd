import type { billingOperations } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';

type Operation = 'getStatement';

export function statementHandlers(_parts: object): Pick<Handlers<typeof billingOperations>, Operation> {
  const missing = (): never => {
    throw new Error('not built yet');
  };
  return { getStatement: missing };
}
