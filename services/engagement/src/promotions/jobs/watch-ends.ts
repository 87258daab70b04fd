import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import { recordEnds } from '../commands/record-ends.ts';

type Needs = Parameters<typeof recordEnds>[0] & { readonly logger: Logger };

const everyMs = 2000;

/** Looks every 2 s for campaigns whose end has come. */
export function watchEnds(needs: Needs): { stop(): Promise<void> } {
  const failure = 'recording the ends of campaigns failed';
  return repeatEvery(everyMs, () => recordEnds(needs), { logger: needs.logger, failure });
}
