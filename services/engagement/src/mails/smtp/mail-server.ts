import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import type { SendMailOptions } from 'nodemailer';
import pLimit from 'p-limit';
import type { HandoverResult, OutgoingMail } from '../domain/outgoing-mail.ts';

export interface MailServer {
  /**
   * Hands a mail over. The server can't accept it before its last line, which is held back until `mayFinish` resolves,
   * for half a minute at most. Never rejects: what went wrong is in the result.
   */
  send(mail: OutgoingMail, mayFinish: () => Promise<void>): Promise<HandoverResult>;
  close(): void;
}

type HeldMail = SendMailOptions & { readonly mayFinish: () => Promise<void> };

/** Connects to the mail server at `url` with at most `connections` connections, which are kept open. */
export function connectMailServer(options: { url: string; from: string; connections: number }): MailServer {
  const transport = createTransport({
    url: options.url,
    pool: true,
    maxConnections: options.connections,
    maxMessages: 500,
    // A mail that was interrupted is tried again by its delivery, which counts the attempts.
    maxRequeues: 0,
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    dnsTimeout: 5000,
    // Longer than a mail is held back while the one before it can't be saved.
    socketTimeout: 60_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.use('stream', (mail, done) => {
    const { mayFinish } = mail.data as HeldMail;
    mail.message.processFunc((content) => Readable.from(heldBack(content, mayFinish), { objectMode: false }));
    done();
  });
  // The time that a mail waits for a connection is no part of its `milliseconds`.
  const withConnection = pLimit(options.connections);

  async function handOver(mail: OutgoingMail, mayFinish: () => Promise<void>): Promise<HandoverResult> {
    const started = performance.now();
    const elapsed = () => Math.round(performance.now() - started);
    try {
      const { response } = await transport.sendMail(toHeldMail(mail, options.from, mayFinish));
      return { outcome: 'accepted', answer: shorten(response), milliseconds: elapsed(), bounced: false };
    } catch (error) {
      return { ...interpret(error as SmtpError), milliseconds: elapsed() };
    }
  }

  return {
    send: (mail, mayFinish) => withConnection(() => handOver(mail, mayFinish)),
    close: () => transport.close(),
  };
}

function toHeldMail(mail: OutgoingMail, from: string, mayFinish: () => Promise<void>): HeldMail {
  return {
    mayFinish,
    from,
    // As an object: the address is never parsed as a list.
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.messageId}>`,
    date: mail.date,
    xMailer: false,
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...(mail.unsubscribeUrl === null ? {} : { list: { unsubscribe: mail.unsubscribeUrl } }),
  };
}

/**
 * The content without its end, until `mayFinish` resolves. It is read, and `mayFinish` called, once the server waits
 * for it.
 */
async function* heldBack(content: Readable, mayFinish: () => Promise<void>): AsyncIterable<Buffer> {
  yield* content;
  await mayFinish();
}

interface SmtpError extends Error {
  readonly code?: string;
  /** The status code of the server's answer, where it answered. */
  readonly responseCode?: number;
  readonly response?: string;
  /** The command that it answered. */
  readonly command?: string;
}

const commandsAboutTheMail = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);
const noSuchMailbox = new Set([550, 551, 553, 556]);
// 5.7.x: the mailbox exists, and the server refuses the sender.
const refusedByPolicy = /^5\d\d[ -]5\.7\./;

function interpret(error: SmtpError): Omit<HandoverResult, 'milliseconds'> {
  const answer = shorten(error.response ?? error.message);
  const code = error.responseCode ?? 0;
  // Refused before anything was sent: too large for the server, or not an address.
  if (code === 0 && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE'))
    return { outcome: 'refused', answer, bounced: false };
  // A server that refuses to talk, or closes the connection (421), says nothing about this mail.
  if (code < 400 || code === 421 || !commandsAboutTheMail.has(error.command ?? ''))
    return { outcome: 'unreachable', answer, bounced: false };
  if (code < 500) return { outcome: 'deferred', answer, bounced: false };
  const bounced = error.command === 'RCPT TO' && noSuchMailbox.has(code) && !refusedByPolicy.test(answer);
  return { outcome: 'refused', answer, bounced };
}

function shorten(answer: string): string {
  return answer.replaceAll(/\s+/g, ' ').slice(0, 300);
}
