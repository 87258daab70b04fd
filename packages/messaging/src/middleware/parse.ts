import { isUtf8 } from 'node:buffer';
import { eventEnvelope, type Event } from '@storefront/contracts';
import { messageOf } from '../errors.ts';

export type Parsed = { readonly event: Event } | { readonly unreadable: string };

/**
 * Reads an event, or says why the content is not one. It does not check the event's data. `publishedAs` is the type that the
 * broker has let it be published as: a publisher may be allowed some types only, and the text could name another one.
 */
export function parseEvent(content: string | Buffer, publishedAs?: string): Parsed {
  // As text, other bytes would be other characters, and stored as such.
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
