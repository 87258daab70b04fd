import { billingEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { WorkOffCallback } from '../commands/work-off-callbacks.ts';

/** A second delivery does no harm at any time: the callback says itself whether its work is done, and callbacks are never deleted. */
export function onCallbackReceived({ workOffCallback }: { readonly workOffCallback: WorkOffCallback }) {
  return [on(billingEvents.callbackReceived, async ({ subject }) => void (await workOffCallback(subject)))];
}
