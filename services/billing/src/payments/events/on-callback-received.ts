import { billingEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { ProcessCallback } from '../commands/process-callbacks.ts';

/** A second delivery does no harm at any time: a callback has on it whether it is processed, and its document is never deleted. */
export function onCallbackReceived({ processCallback }: { readonly processCallback: ProcessCallback }) {
  return [on(billingEvents.callbackReceived, async ({ subject }) => void (await processCallback(subject)))];
}
