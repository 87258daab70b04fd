import { isUtf8 } from 'node:buffer';
import { eventEnvelope, type Event } from '@storefront/contracts';
import { messageOf } from '../errors.ts';

export type Parsed = { readonly event: Event } | { readonly unreadable: string };

/**
 * Reads an event, or returns why the content is not an event. Does not check the event's data. `publishedAs` is the
 * event type as which the broker accepted the message. The text must name the same type, because a publisher may be
 * allowed to publish only some types.
 */
export function parseEvent(content: string | Buffer, publishedAs?: string): Parsed {
  // Bytes that are not UTF-8 would be decoded to wrong characters and stored like that.
  if (typeof content !== 'string' && !isUtf8(content)) return { unreadable: 'not text in UTF-8' };
  let value: unknown;
  try {
    value = JSON.parse(content.toString());
  } catch (error) {
    return { unreadable: `not JSON: ${messageOf(error)}` };
  }
  const envelope = eventEnvelope.safeParse(value);
  if (envelope.success) {
    const { type } = envelope.data;
    if (publishedAs === undefined || publishedAs === type) return { event: envelope.data };
    return { unreadable: `it was published as ${publishedAs} and says that it is ${type}` };
  }
  const faults = envelope.error.issues.map((issue) => `${issue.path.join('.') || 'event'}: ${issue.message}`);
  return { unreadable: `not an event: ${faults.join('; ')}` };
}
