import { eventEnvelope } from '@storefront/contracts';
import type { Event } from '@storefront/contracts';
import { messageOf } from '../errors.ts';

export type Parsed = { readonly event: Event } | { readonly unreadable: string };

/** Reads an event, or says why the text is not one. It does not check the event's data. */
export function parseEvent(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { unreadable: `not JSON: ${messageOf(error)}` };
  }
  const envelope = eventEnvelope.safeParse(value);
  if (envelope.success) return { event: envelope.data };
  const faults = envelope.error.issues.map((issue) => `${issue.path.join('.') || 'event'}: ${issue.message}`);
  return { unreadable: `not an event: ${faults.join('; ')}` };
}
