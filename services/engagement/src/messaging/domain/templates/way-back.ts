import type { MailBlock, Shop } from '../layout.ts';
import type { PlainCode } from './codes.ts';
import { formatTime, paragraph } from './phrases.ts';

/** Tells the reader to undo a change with the link if somebody else changed the account. */
export function wayBack({ link, expiresAt }: PlainCode, shop: Shop): MailBlock[] {
  return [
    paragraph('If this was you, there is nothing to do.'),
    paragraph('If it was not you, take your account back with this link:'),
    { kind: 'link', label: 'Undo this', url: `${shop.url}/changes/revert#token=${link ?? ''}` },
    paragraph(
      `It works once, until ${formatTime(expiresAt)}, and undoes all changes of email, password and second factors of the ` +
        'last 7 days. All devices are logged out then, and you set a new password.',
    ),
  ];
}
