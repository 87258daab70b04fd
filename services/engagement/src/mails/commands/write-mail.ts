import type { engagementHttp } from '@storefront/contracts';
import { preferencesUrl } from '../domain/layout.ts';
import type { Shop } from '../domain/layout.ts';
import { messageIdOf } from '../domain/outgoing-mail.ts';
import type { OutgoingMail } from '../domain/outgoing-mail.ts';
import { MailError, renderMail } from '../domain/render-mail.ts';
import type { TemplatedMail } from '../domain/render-mail.ts';
import type { OpenedCode } from '../domain/templates/codes.ts';

interface Needs {
  readonly shop: Shop;
  /** The domain of `Message-ID`s. */
  readonly mailDomain: string;
  readonly openSealedCode: (sealed: string) => Promise<OpenedCode>;
}

/** What is known of a mail before it is written. */
interface UnwrittenMail {
  readonly id: string;
  readonly email: string | null;
  readonly category: engagementHttp.Category;
  readonly mail: TemplatedMail | null;
  readonly code: { readonly sealed: string; readonly expiresAt: Date } | null;
  readonly createdAt: Date;
}

/**
 * Writes the mail of a delivery: the same mail each time. Throws where it has no mail, or its code can't be decrypted.
 */
export async function writeMail(
  { shop, mailDomain, openSealedCode }: Needs,
  { id, email, category, mail, code, createdAt }: UnwrittenMail,
): Promise<OutgoingMail> {
  if (mail === null || email === null) throw new MailError('there is no mail in this delivery');
  const isOptional = category !== 'security';
  const plainCode = code && { ...(await openSealedCode(code.sealed)), expiresAt: code.expiresAt };
  return {
    ...renderMail(mail, { shop, code: plainCode, isOptional }),
    to: email,
    messageId: messageIdOf(id, mailDomain),
    date: createdAt,
    unsubscribeUrl: isOptional ? preferencesUrl(shop) : null,
  };
}
