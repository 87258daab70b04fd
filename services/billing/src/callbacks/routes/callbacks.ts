import type { billingOperations } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';

type Operation = 'receiveCallback' | 'listCallbacks' | 'getCallback' | 'replayCallback';

export function callbackHandlers(_parts: object): Pick<Handlers<typeof billingOperations>, Operation> {
  const missing = (): never => {
    throw new Error('not built yet');
  };
  return { receiveCallback: missing, listCallbacks: missing, getCallback: missing, replayCallback: missing };
}
