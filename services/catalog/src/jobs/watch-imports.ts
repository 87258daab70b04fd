import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import { endSilentImports } from '../commands/end-silent-imports.ts';

const everyMs = 10_000;

/** Looks every 10 s for imports that were interrupted without an end. `stop` waits for what is under way. */
export function watchImports(needs: Parameters<typeof endSilentImports>[0] & { readonly logger: Logger }): {
  stop(): Promise<void>;
} {
  const failure = 'interrupted imports could not be ended; it is tried again';
  return repeatEvery(everyMs, () => endSilentImports(needs), { logger: needs.logger, failure });
}
