import { eventually } from '@storefront/testing';

/** What a route answered. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

export interface Client {
  call(method: string, path: string, more?: More): Promise<Answer>;
}

interface More {
  readonly token?: string;
  readonly body?: unknown;
  /** Sent as `Idempotency-Key`. */
  readonly key?: string;
}

/** Plain HTTP, for tests that are about statuses and headers. What people do, tests do by `@storefront/client`. */
export function clientOf(gateway: string): Client {
  return {
    async call(method, path, { token, body, key } = {}) {
      const answer = await fetch(new URL(path, gateway), {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
    },
  };
}

/**
 * The same, for tests that are not about a busy machine. There the gateway may not know in time whether a token is revoked. It then
 * answers 503 before it does anything, so the call is repeated as a client would.
 */
export function patientClientOf(gateway: string): Client {
  const client = clientOf(gateway);
  return {
    call: (method, path, more) => onceRevocationsAreKnown(`${method} ${path}`, () => client.call(method, path, more)),
  };
}

/** Repeats a call until the gateway knows whether its token is revoked. */
export function onceRevocationsAreKnown<Answered extends { readonly body: any }>(
  route: string,
  call: () => Promise<Answered>,
): Promise<Answered> {
  return eventually(async () => {
    const answer = await call();
    return answer.body?.code === 'revocation_unknown' ? null : answer;
  }, `the gateway to know whether the token of ${route} is revoked`);
}

/** A mail as the mailbox's API shows it. */
export interface Mail {
  readonly Subject: string;
  readonly Text: string;
  readonly HTML: string;
}

interface Listed {
  readonly ID: string;
  readonly Subject: string;
  readonly Read: boolean;
}

/**
 * Waits for a mail to that address whose subject fits, and opens it. Each mail is answered once: what was opened before is
 * never taken for the one that is still on its way.
 */
export function mailTo(mailbox: string, email: string, subject: RegExp): Promise<Mail> {
  const search = new URL('/api/v1/search', mailbox);
  search.searchParams.set('query', `to:"${email}"`);
  return eventually(async () => {
    const { messages } = (await (await fetch(search)).json()) as { messages: Listed[] };
    const found = messages.find(({ Read, Subject }) => !Read && subject.test(Subject));
    if (!found) throw new Error(`the mailbox has ${JSON.stringify(messages, ['Subject', 'Read'])}`);
    return (await (await fetch(new URL(`/api/v1/message/${found.ID}`, mailbox))).json()) as Mail;
  }, `a mail to ${email} about ${subject} that was not read yet`);
}

/** The one-time code in a mail. */
export function codeIn(mail: Mail): string {
  const [code] = /\b\d{6}\b/.exec(mail.Text) ?? [];
  if (!code) throw new Error(`there is no code in the mail "${mail.Subject}"`);
  return code;
}
