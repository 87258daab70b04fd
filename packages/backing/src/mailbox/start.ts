import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { BackingError, reasonOf } from '../error.ts';
import { openDataFolder } from '../process/data-folder.ts';
import { keepOrChoosePorts } from '../process/ports.ts';
import { noMailFiles, openMailFiles, type MailFiles, type ReceivedMail } from './mail-files.ts';
import { createMailStore, type MailStore } from './mail-store.ts';
import { toMail } from './mail.ts';
import { createSmtpServer } from './smtp.ts';
import { buildMailboxWeb } from './web.ts';

export interface MailboxOptions {
  /**
   * The folder of this mailbox only; created if missing. The next start has the same mails, and the same ports if they
   * are free. Without it mails are kept in memory alone, without their attachments.
   */
  dataDir?: string;
  /** The SMTP port. The default is that of the last start if it is free, otherwise any free port. */
  smtpPort?: number;
  /** The port of the page; 0 chooses any free port. The default is as for `smtpPort`. */
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

/** How many mails are kept over a restart. Each has to be parsed again, which takes about a millisecond. */
const keptMails = 1_000;

/** Starts a mailbox on loopback. Throws a BackingError if a port is in use. */
export async function startMailbox(options: MailboxOptions = {}): Promise<StartedMailbox> {
  const { capacity = 20_000, breaksOff = () => false } = options;
  const { files, smtpPort, pagePort, leave } = await openFolder(options);
  const mails = createMailStore(capacity, (id) => files.remove(id));
  await readKept(files, mails);
  async function keep(mail: ReceivedMail): Promise<void> {
    const parsed = await parse(mail);
    await files.save(mail);
    mails.add(parsed);
  }
  // The ids are in the order of arrival.
  const nextId = () => `${Date.now()}-${randomUUID()}`;
  const smtp = createSmtpServer(keep, nextId, () => new Date(), breaksOff);
  // These errors come from clients that disconnect during a mail. A port in use is reported by `listening`.
  smtp.on('error', () => undefined);
  const listening = smtp.listen(smtpPort, '127.0.0.1');
  await once(listening, 'listening').catch((error: unknown) => {
    throw portError('mail', smtpPort, error);
  });
  const web = buildMailboxWeb(mails, files);
  const page = await web.listen({ port: pagePort, host: '127.0.0.1' }).catch(async (error: unknown) => {
    smtp.close();
    throw portError("the mailbox's page", pagePort, error);
  });
  const { port } = listening.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  const close = async () => {
    await Promise.all([web.close(), new Promise<void>((resolve) => smtp.close(resolve))]);
    await leave();
  };
  return { url: `smtp://127.0.0.1:${port}`, page, close: () => (closing ??= close()) };
}

async function openFolder({ dataDir, smtpPort, pagePort }: MailboxOptions) {
  if (dataDir === undefined)
    return { files: noMailFiles, smtpPort: smtpPort ?? 0, pagePort: pagePort ?? 0, leave: () => Promise.resolve() };
  const folder = await openDataFolder<'smtp' | 'page'>(dataDir, 'The mailbox');
  const { smtp, page } = await keepOrChoosePorts(['smtp', 'page'], folder.last.ports);
  const ports = { smtp: smtpPort ?? smtp, page: pagePort ?? page };
  await folder.save({ ports, pid: process.pid });
  const leave = () => folder.save({ ports, pid: null });
  return { files: await openMailFiles(join(folder.path, 'mails')), smtpPort: ports.smtp, pagePort: ports.page, leave };
}

/** Puts the newest mails of the folder into the store, as read, and removes the others. */
async function readKept(files: MailFiles, mails: MailStore): Promise<void> {
  const ids = await files.ids();
  const first = Math.max(0, ids.length - keptMails);
  for (const [at, id] of ids.entries()) {
    const mail = at < first ? undefined : await files.read(id);
    if (mail === undefined) files.remove(id);
    else {
      const { summary, mail: whole } = await parse(mail);
      mails.add({ summary: { ...summary, Read: true }, mail: whole });
    }
  }
}

async function parse({ arrival, raw }: ReceivedMail) {
  return toMail(await PostalMime.parse(raw), arrival);
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
