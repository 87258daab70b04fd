import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import { removeUnnamedPictures } from '../commands/pictures.ts';

type Needs = Parameters<typeof removeUnnamedPictures>[0] & { readonly logger: Logger };

const everyMs = 10 * 60 * 1000;

/** Deletes the files of pictures that no product names. `stop` waits for the current run. */
export function removingUnnamedPictures(needs: Needs): { stop(): Promise<void> } {
  const failure = 'files of pictures that no product names could not be deleted; it is tried again';
  return repeatEvery(everyMs, () => removeUnnamedPictures(needs), { logger: needs.logger, failure });
}
