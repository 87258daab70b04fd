import type { Delivery } from '../domain/delivery.ts';
import { preferencesUrl } from '../domain/mails/layout.ts';
import type { Shop } from '../domain/mails/layout.ts';
import { MailError, renderMail } from '../domain/mails/mails.ts';
import { openSealedCode } from './sealed-code.ts';
import type { Letter } from './smtp.ts';

/** Writes the mail of a delivery: the same one each time, under the same `Message-ID`. */
export async function writeLetter(
  delivery: Delivery,
  given: { readonly shop: Shop; readonly domain: string; readonly sealingKey: Uint8Array },
): Promise<Letter> {
  const { mail, email, code } = delivery;
  if (mail === null || email === null) throw new MailError('there is no mail in this delivery');
  const optional = delivery.category !== 'security';
  const opened = code && { code: await openSealedCode(code.sealed, given.sealingKey), expiresAt: code.expiresAt };
  return {
    ...renderMail(mail, { shop: given.shop, code: opened, optional }),
    to: email,
    messageId: messageIdOf(delivery, given.domain),
    date: delivery.createdAt,
    unsubscribeUrl: optional ? preferencesUrl(given.shop) : null,
  };
}

/** Without angle brackets. */
export function messageIdOf({ id }: { id: string }, domain: string): string {
  return `${id}@${domain}`;
}
