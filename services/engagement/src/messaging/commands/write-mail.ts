import type { MessageDelivery } from '../domain/delivery.ts';
import { isOptIn, isRequired, type OptInCategory } from '../domain/preferences.ts';
import {
  layOut,
  preferencesUrl,
  type MailContent,
  type OptOut,
  type RenderedMail,
  type Shop,
} from '../domain/layout.ts';
import { messageIdOf, type OutgoingMail } from '../domain/outgoing-mail.ts';
import { MailError, renderMail, type TemplatedMail } from '../domain/render-mail.ts';
import type { OpenedCode } from '../domain/templates/codes.ts';
import { attachmentsOf } from './attach-documents.ts';

interface Needs {
  readonly shop: Shop;
  /** The domain in each mail's `Message-ID`. */
  readonly mailDomain: string;
  readonly openSealedCode: (sealed: string) => Promise<OpenedCode>;
  /** Returns the text of an announcement's mails. Throws where there is no such announcement. */
  readonly announcementContent: (announcementId: string) => Promise<MailContent>;
  /** Returns the address where a user can unsubscribe from a category of mail with one click, without a login. */
  readonly unsubscribeUrl: (userId: string, category: OptInCategory) => string;
}

type UnwrittenMail = Pick<MessageDelivery, 'id' | 'email' | 'userId' | 'category' | 'mail' | 'code' | 'createdAt'>;

/**
 * Writes the mail of a delivery; each call writes the same mail. Throws where the delivery has no mail, its code can't
 * be decrypted, or an attachment can't be made.
 */
export async function writeMail(needs: Needs, unwritten: UnwrittenMail): Promise<OutgoingMail> {
  const { shop, mailDomain } = needs;
  const { id, email, category, userId, mail, code, createdAt } = unwritten;
  if (mail === null || email === null) throw new MailError('there is no mail in this delivery');
  const unsubscribeUrl = userId !== null && isOptIn(category) ? needs.unsubscribeUrl(userId, category) : null;
  const optOut = isRequired(category, 'EMAIL') ? null : { unsubscribeUrl };
  return {
    ...(await render(needs, mail, code, optOut)),
    to: email,
    messageId: messageIdOf(id, mailDomain),
    date: createdAt,
    attachments: await attachmentsOf(mail),
    unsubscribe: optOut && { url: unsubscribeUrl ?? preferencesUrl(shop), isOneClick: unsubscribeUrl !== null },
  };
}

async function render(
  { shop, openSealedCode, announcementContent }: Needs,
  mail: TemplatedMail,
  code: UnwrittenMail['code'],
  optOut: OptOut | null,
): Promise<RenderedMail> {
  if (mail.template === 'announcement')
    return layOut(await announcementContent(mail.data.announcementId), shop, optOut);
  const plainCode = code && { ...(await openSealedCode(code.sealed)), expiresAt: code.expiresAt };
  return renderMail(mail, { shop, code: plainCode, optOut });
}
