import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { BackingError, reasonOf } from '../error.ts';
import { createMailStore } from './mail-store.ts';
import { createSmtpServer } from './smtp.ts';
import { buildMailboxWeb } from './web.ts';

export interface MailboxOptions {
  /** The SMTP port; 0, the default, chooses a free port. */
  smtpPort?: number;
  /** The port of the page; 0, the default, chooses a free port. */
  pagePort?: number;
  /** How many mails are kept, the newest ones; 20,000 by default. */
  capacity?: number;
  /**
   * For tests: returns true for recipients whose mails break the connection after they have been sent. By default there
   * are none.
   */
  breaksOff?: (recipient: string) => boolean;
}

export interface StartedMailbox {
  /** The SMTP address for programs: `smtp://127.0.0.1:…`. */
  readonly url: string;
  /** The page for people; the API for tests is under `/api/v1/`. */
  readonly page: string;
  close(): Promise<void>;
}

/** Starts a mailbox on loopback that keeps mails in memory. Throws a BackingError if a port is in use. */
export async function startMailbox(options: MailboxOptions = {}): Promise<StartedMailbox> {
  const { smtpPort = 0, pagePort = 0, capacity = 20_000, breaksOff = () => false } = options;
  const mails = createMailStore(capacity);
  const smtp = createSmtpServer(mails, randomUUID, () => new Date(), breaksOff);
  // These errors come from clients that disconnect during a mail. A port in use is reported by `listening`.
  smtp.on('error', () => undefined);
  const listening = smtp.listen(smtpPort, '127.0.0.1');
  await once(listening, 'listening').catch((error: unknown) => {
    throw portError('mail', smtpPort, error);
  });
  const web = buildMailboxWeb(mails);
  const page = await web.listen({ port: pagePort, host: '127.0.0.1' }).catch(async (error: unknown) => {
    smtp.close();
    throw portError("the mailbox's page", pagePort, error);
  });
  const { port } = listening.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  const close = async () => {
    await Promise.all([web.close(), new Promise<void>((resolve) => smtp.close(resolve))]);
  };
  return { url: `smtp://127.0.0.1:${port}`, page, close: () => (closing ??= close()) };
}

function portError(what: string, port: number, error: unknown): BackingError {
  const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  return new BackingError(
    inUse
      ? `Port ${port} for ${what} is in use: end what listens there, ` +
          'or set MAILBOX_PORT to another one (0: any free one).'
      : `Port ${port} for ${what} can't be opened: ${reasonOf(error)}.`,
  );
}
