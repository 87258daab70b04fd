import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import { endImport, silentSince } from '../domain/sheets/product-import.ts';
import type { Store } from '../store/collections.ts';

interface Needs extends Pick<Store, 'imports'> {
  readonly logger: Logger;
  readonly now: () => Date;
}

const everyMs = 10_000;

/**
 * Ends imports that have stored nothing for 15 minutes. So the audit log has an entry about the end of each import,
 * even if the process was killed or the database was unreachable. Several instances may do so at once: each import is
 * ended only once. `stop` waits for the current run.
 */
export function endSilentImports({ imports, logger, now }: Needs): { stop(): Promise<void> } {
  async function endAll(): Promise<void> {
    const silent = await imports.find(
      { finishedAt: null, activeAt: { $lt: silentSince(now()) } },
      { fields: ['activeAt'], hint: 'under_way' },
    );
    for (const { state } of silent)
      await imports.change(state.id, (current) => endImport(current, { interrupted: 'silent', now: now() }));
  }

  return repeatEvery(everyMs, endAll, { logger, failure: 'interrupted imports could not be ended; it is tried again' });
}
