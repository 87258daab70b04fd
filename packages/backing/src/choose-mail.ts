import { join } from 'node:path';
import { addressFromEnv } from './address-from-env.ts';
import type { BackingOptions, Chosen } from './choice.ts';
import { startMailbox } from './mailbox/start.ts';

export interface BackingMail {
  readonly url: string;
  /** The mailbox's page; absent if SMTP_URL is set. */
  readonly page?: string;
  readonly described: string;
}

/** Uses SMTP_URL if it is set, otherwise starts the development mailbox. */
export async function chooseMail({ env, dataDir, mailboxPort, say }: BackingOptions): Promise<Chosen<BackingMail>> {
  const configured = addressFromEnv(env, 'SMTP_URL', ['smtp:', 'smtps:']);
  if (configured) {
    say(`Mail: ${configured.described}.`);
    return { service: configured, close: async () => undefined };
  }
  const mailbox = await startMailbox({
    dataDir: join(dataDir, 'mailbox'),
    ...(mailboxPort !== undefined && { pagePort: mailboxPort }),
  });
  say(`Mail: development mailbox, to be read at ${mailbox.page}. Set SMTP_URL to send mails out.`);
  return {
    service: { url: mailbox.url, page: mailbox.page, described: `development mailbox at ${mailbox.page}` },
    close: () => mailbox.close(),
  };
}
