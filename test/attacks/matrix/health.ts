import type { Rows } from './row.ts';

export const healthRows: Rows = {
  getHealth: { access: 'open', ok: 200 },
  getReadiness: { access: 'public', ok: 200 },
  listIncidents: { access: 'admin', ok: 200 },
};
