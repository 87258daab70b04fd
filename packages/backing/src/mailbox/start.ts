import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { BackingError, reasonOf } from '../error.ts';
import { createLetters } from './letters.ts';
import { createSmtpServer } from './smtp.ts';
import { buildMailboxWeb } from './web.ts';

export interface MailboxOptions {
  /** 0, the default: any free one. */
  smtpPort?: number;
  /** 0, the default: any free one. */
  pagePort?: number;
  /** How many mails are kept, the newest; 20,000 by default. */
  capacity?: number;
}

export interface StartedMailbox {
  /** Where programs send: `smtp://127.0.0.1:…`. */
  readonly url: string;
  /** Where people and tests read: the page, with the API under `/api/v1/`. */
  readonly page: string;
  close(): Promise<void>;
}

/** Starts a mailbox on loopback that keeps mails in memory. Throws a BackingError when a port is in use. */
export async function startMailbox(options: MailboxOptions = {}): Promise<StartedMailbox> {
  const { smtpPort = 0, pagePort = 0, capacity = 20_000 } = options;
  const letters = createLetters(capacity);
  const smtp = createSmtpServer(letters, randomUUID, () => new Date());
  // A client that breaks off in the middle of a mail is its own problem; a port in use is told by the listening server.
  smtp.on('error', () => undefined);
  const listening = smtp.listen(smtpPort, '127.0.0.1');
  await once(listening, 'listening').catch((error: unknown) => refuse('mail', smtpPort, error));
  const web = buildMailboxWeb(letters);
  const page = await web.listen({ port: pagePort, host: '127.0.0.1' }).catch(async (error: unknown) => {
    smtp.close();
    return refuse("the mailbox's page", pagePort, error);
  });
  const { port } = listening.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  const close = async () => {
    await Promise.all([web.close(), new Promise<void>((resolve) => smtp.close(resolve))]);
  };
  return { url: `smtp://127.0.0.1:${port}`, page, close: () => (closing ??= close()) };
}

function refuse(what: string, port: number, error: unknown): never {
  const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  throw new BackingError(
    inUse
      ? `Port ${port} for ${what} is in use: end what listens there, or set MAILBOX_PORT to another one (0: any free one).`
      : `Port ${port} for ${what} can't be opened: ${reasonOf(error)}.`,
  );
}
