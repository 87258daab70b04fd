import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import type { SendMailOptions } from 'nodemailer';
import type { Attempt } from '../domain/delivery.ts';
import type { Rendered } from '../domain/mails/layout.ts';

export interface Letter extends Rendered {
  readonly to: string;
  /** Without angle brackets. */
  readonly messageId: string;
  readonly date: Date;
  /** Where to get less of such mail; null for mail that everybody gets. */
  readonly unsubscribeUrl: string | null;
}

export interface Sent extends Omit<Attempt, 'at'> {
  /** The mail server says that there is no such mailbox. */
  readonly bounced: boolean;
}

export interface MailServer {
  /**
   * Hands a letter over. Nobody has taken it before its last line, which is not said until `turn` has resolved; that may
   * take half a minute. Never throws: what went wrong is in the answer.
   */
  send(letter: Letter, turn: () => Promise<void>): Promise<Sent>;
  close(): void;
}

type MailInTurn = SendMailOptions & { readonly turn: () => Promise<void> };

/** A pool of connections to the mail server at `url`, at most `connections` at once. */
export function connectMailServer(options: { url: string; from: string; connections: number }): MailServer {
  const transport = createTransport({
    url: options.url,
    pool: true,
    maxConnections: options.connections,
    maxMessages: 500,
    // A letter that was interrupted is tried again by its delivery, which counts the tries.
    maxRequeues: 0,
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    dnsTimeout: 5000,
    // Longer than a letter waits for its turn while the one before can't be written down.
    socketTimeout: 60_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.use('stream', (mail, done) => {
    const { turn } = mail.data as MailInTurn;
    mail.message.processFunc((letter) => Readable.from(endingAfter(letter, turn), { objectMode: false }));
    done();
  });
  return {
    async send(letter, turn) {
      const started = performance.now();
      const took = () => Math.round(performance.now() - started);
      try {
        const mail: MailInTurn = {
          turn,
          from: options.from,
          // As an object: the address is never parsed as a list.
          to: { name: '', address: letter.to },
          subject: letter.subject,
          text: letter.text,
          html: letter.html,
          messageId: `<${letter.messageId}>`,
          date: letter.date,
          xMailer: false,
          headers: { 'Auto-Submitted': 'auto-generated' },
          ...(letter.unsubscribeUrl === null ? {} : { list: { unsubscribe: letter.unsubscribeUrl } }),
        };
        const info = await transport.sendMail(mail);
        return { outcome: 'accepted', answer: shorten(info.response), milliseconds: took(), bounced: false };
      } catch (error) {
        return { ...judge(error as SmtpError), milliseconds: took() };
      }
    },
    close: () => transport.close(),
  };
}

/** Not read before the mail server waits for the letter, so that nobody takes a turn before they need it. */
async function* endingAfter(letter: Readable, turn: () => Promise<void>): AsyncIterable<Buffer> {
  yield* letter;
  await turn();
}

interface SmtpError extends Error {
  readonly code?: string;
  /** What the server answered, where it did. */
  readonly responseCode?: number;
  readonly response?: string;
  /** What was said to it last. */
  readonly command?: string;
}

const aboutTheLetter = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);
const noSuchMailbox = new Set([550, 551, 553, 556]);
// 5.7.x: the server knows the mailbox and refuses us.
const refusedByPolicy = /^5\d\d[ -]5\.7\./;

function judge(error: SmtpError): Omit<Sent, 'milliseconds'> {
  const answer = shorten(error.response ?? error.message);
  const code = error.responseCode ?? 0;
  // Refused before the server was asked: too large for it, or no address.
  if (code === 0 && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE'))
    return { outcome: 'refused', answer, bounced: false };
  // A server that won't even talk, or that goes away (421), says nothing about this letter.
  if (code < 400 || code === 421 || !aboutTheLetter.has(error.command ?? ''))
    return { outcome: 'unreachable', answer, bounced: false };
  if (code < 500) return { outcome: 'deferred', answer, bounced: false };
  const bounced = error.command === 'RCPT TO' && noSuchMailbox.has(code) && !refusedByPolicy.test(answer);
  return { outcome: 'refused', answer, bounced };
}

function shorten(answer: string): string {
  return answer.replaceAll(/\s+/g, ' ').slice(0, 300);
}
