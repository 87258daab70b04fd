import { catalogErrors } from '@storefront/contracts';
import type { Logger } from 'pino';
import type { ProductImport } from '../domain/sheets/product-import.ts';
import { importProducts, startImport, type ImportNeeds, type ImportRequest } from './import-products.ts';

/** Imports that this instance works on beside its requests. */
export interface BackgroundImports {
  /**
   * Begins an import, and goes on with it after the call. An import that another attempt of the same request has begun is
   * returned as it is. Throws `too_many_imports` while this instance works on two.
   */
  start(request: ImportRequest): Promise<ProductImport>;
  /** Stops all imports after their current rows, and waits until their ends are stored, for a few seconds at most. */
  stop(): Promise<void>;
}

// Each import holds its file in memory, and competes with requests for the processor.
const mostAtOnce = 2;
const recordForMs = 3000;

export function openBackgroundImports(needs: ImportNeeds & { readonly logger: Logger }): BackgroundImports {
  const { logger } = needs;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let places = mostAtOnce;

  async function run(request: ImportRequest): Promise<void> {
    try {
      const { interrupted } = await importProducts(needs, request, { signal: stopping.signal, recordForMs });
      if (interrupted?.error)
        logger.warn({ err: interrupted.error, import: request.id }, 'an import of products failed');
    } catch (error) {
      logger.error({ err: error, import: request.id }, 'an import of products failed');
    }
  }

  return {
    async start(request) {
      if (places === 0 || stopping.signal.aborted) throw catalogErrors.tooManyImports();
      places -= 1;
      let isRunning = false;
      try {
        const { state, isNew } = await startImport(needs, request);
        if (!isNew) return state;
        isRunning = true;
        const work = run(request).finally(() => {
          places += 1;
          running.delete(work);
        });
        running.add(work);
        return state;
      } finally {
        if (!isRunning) places += 1;
      }
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
