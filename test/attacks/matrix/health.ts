import type { gatewayOperations, healthOperations } from '@storefront/contracts';
import type { RowsOf } from './row.ts';

export const healthRows: RowsOf<typeof healthOperations> = {
  getReadiness: { access: 'public', ok: 200 },
  listIncidents: { access: 'admin', ok: 200 },
  listDeadLetters: { access: 'admin', ok: 200 },
  replayDeadLetters: { access: 'admin', body: () => ({ queue: 'account.on-order-placed' }), ok: 200 },
  dropDeadLetters: { access: 'admin', body: () => ({ queue: 'account.on-order-placed' }), ok: 200 },
};

export const gatewayRows: RowsOf<typeof gatewayOperations> = {
  getHealth: { access: 'open', ok: 200 },
};
