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
import { becauseOf, MailError, renderMail, type TemplatedMail } from '../domain/render-mail.ts';
import type { OpenedCode } from '../domain/templates/codes.ts';
import { writingFor } from '../domain/templates/compose.ts';
import { attachmentsOf } from './attach-documents.ts';

interface Needs {
  readonly shop: Shop;
  /** The domain in each mail's `Message-ID`. */
  readonly mailDomain: string;
  readonly openSealedCode: (sealed: string) => Promise<OpenedCode>;
  /** Returns the text of an announcement's mails. Throws where there is no such announcement. */
  readonly announcementContent: (announcementId: string) => Promise<MailContent>;
  /** Returns where a user can unsubscribe from a category of mail without a login. */
  readonly unsubscribeUrls: (userId: string, category: OptInCategory) => UnsubscribeUrls;
}

interface UnsubscribeUrls {
  /** Mail programs send a POST to it (RFC 8058). */
  readonly oneClick: string;
  /** For people: it asks before it does something. */
  readonly page: string;
}

type UnwrittenMail = Pick<
  MessageDelivery,
  'id' | 'email' | 'userId' | 'locale' | 'timeZone' | 'category' | 'mail' | 'code' | 'createdAt'
>;

/**
 * Writes the mail of a delivery; each call writes the same mail. Throws where the delivery has no mail, its code can't
 * be decrypted, or an attachment can't be made.
 */
export async function writeMail(needs: Needs, unwritten: UnwrittenMail): Promise<OutgoingMail> {
  const { shop, mailDomain } = needs;
  const { id, email, category, userId, mail, createdAt } = unwritten;
  if (mail === null || email === null) throw new MailError('there is no mail in this delivery');
  const urls = userId !== null && isOptIn(category) ? needs.unsubscribeUrls(userId, category) : null;
  // A guest has no account in which to choose.
  const isToGuest = category === 'orders' && userId === null;
  const optOut = isRequired(category, 'EMAIL') || isToGuest ? null : { unsubscribeUrl: urls?.page ?? null };
  return {
    ...(await render(needs, unwritten, mail, optOut)),
    to: email,
    messageId: messageIdOf(id, mailDomain),
    date: createdAt,
    attachments: await attachmentsOf(mail),
    unsubscribe: optOut && { url: urls?.oneClick ?? preferencesUrl(shop), isOneClick: urls !== null },
  };
}

/**
 * Writes the mail of a delivery for staff, without anything that proves who reads it: codes and links with secrets are dots.
 * Null where its content is not kept.
 */
export async function writeMailForStaff(
  needs: Pick<Needs, 'shop' | 'announcementContent' | 'openSealedCode'>,
  delivery: UnwrittenMail & Pick<MessageDelivery, 'announcementId'>,
): Promise<RenderedMail | null> {
  const { announcementId } = delivery;
  const kept = delivery.mail ?? (announcementId && { template: 'announcement' as const, data: { announcementId } });
  if (!kept) return null;
  const optOut = isRequired(delivery.category, 'EMAIL') ? null : { unsubscribeUrl: null };
  const openSealedCode = async (sealed: string) => hidden(await needs.openSealedCode(sealed));
  try {
    return await render({ ...needs, openSealedCode }, delivery, kept, optOut);
  } catch (error) {
    // The announcement is gone, too.
    if (error instanceof MailError) return null;
    throw error;
  }
}

function hidden({ code, link }: OpenedCode): OpenedCode {
  return { code: code && '•'.repeat(code.length), link: link && '•••' };
}

async function render(
  { shop, openSealedCode, announcementContent }: Pick<Needs, 'shop' | 'openSealedCode' | 'announcementContent'>,
  { locale, timeZone, category, userId, code }: UnwrittenMail,
  mail: TemplatedMail,
  optOut: OptOut | null,
): Promise<RenderedMail> {
  const writing = writingFor(shop, { locale, timeZone });
  const because = becauseOf(mail.template, category, userId !== null);
  if (mail.template === 'announcement') {
    const content = await announcementContent(mail.data.announcementId);
    return layOut(content, { shop, language: writing.language, because, optOut });
  }
  const plainCode = code && { ...(await openSealedCode(code.sealed)), expiresAt: code.expiresAt };
  return renderMail(mail, { writing, code: plainCode, because, optOut });
}
