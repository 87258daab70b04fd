import { billingEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { ProcessCallback } from '../commands/process-callbacks.ts';

/**
 * Processes a received callback. A second delivery of the event does no harm: the callback's document says whether it
 * is processed, and this document is never deleted.
 */
export function onCallbackReceived({ processCallback }: { readonly processCallback: ProcessCallback }) {
  return [on(billingEvents.callbackReceived, async ({ subject }) => void (await processCallback(subject)))];
}
