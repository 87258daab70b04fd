import type { Logger } from 'pino';
import { recordEnds } from '../commands/record-ends.ts';

type Needs = Parameters<typeof recordEnds>[0] & { readonly logger: Logger };

const everyMs = 2000;

/** Looks every 2 s for campaigns whose end has come. */
export function watchEnds(needs: Needs): { stop(): Promise<void> } {
  let underWay: Promise<void> | null = null;
  const timer = setInterval(() => {
    underWay ??= recordEnds(needs)
      .catch((error: unknown) => needs.logger.warn({ err: error }, 'recording the ends of campaigns failed'))
      .finally(() => (underWay = null));
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}
