import type { BackingOptions, Chosen } from './choice.ts';
import { givenAddress } from './given-address.ts';
import { startMailbox } from './mailbox/start.ts';

export interface BackingMail {
  readonly url: string;
  /** The mailbox's page; absent where SMTP_URL leads elsewhere. */
  readonly page?: string;
  readonly described: string;
}

/** SMTP_URL, else a mailbox of our own. */
export async function chooseMail({ env, mailboxPort, say }: BackingOptions): Promise<Chosen<BackingMail>> {
  const given = givenAddress(env, 'SMTP_URL', ['smtp:', 'smtps:']);
  if (given) {
    say(`Mail: ${given.described}.`);
    return { service: given, close: async () => undefined };
  }
  const mailbox = await startMailbox(mailboxPort === undefined ? {} : { pagePort: mailboxPort });
  say(`Mail: development mailbox, to be read at ${mailbox.page}. Set SMTP_URL to send mails out.`);
  return {
    service: { url: mailbox.url, page: mailbox.page, described: `development mailbox at ${mailbox.page}` },
    close: () => mailbox.close(),
  };
}
