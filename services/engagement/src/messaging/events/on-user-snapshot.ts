import { identityEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { segmentOf } from '../domain/segments.ts';
import type { Recipients } from '../store/recipients.ts';

/** Puts right where mails to a user go, or makes it anew. Nothing is sent. */
export function onUserSnapshot({ recipients }: { readonly recipients: Pick<Recipients, 'save'> }) {
  return [
    on(identityEvents.userSnapshot, ({ subject, sequence, data }) => {
      const { email, firstName, role } = data;
      return recipients.save(subject, { email, firstName, role, segment: segmentOf(data) }, sequence);
    }),
  ];
}
