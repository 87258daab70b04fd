import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Send } from '@storefront/checkout-client';
import type { ProblemBody } from '@storefront/contracts';
import type { Credentials } from './accounts.ts';
import { StackError } from './error.ts';

type Body = Record<string, unknown>;

/** A logged-in user. */
export interface Session {
  readonly token: string;
  readonly userId: string;
}

/**
 * The calls to the API and the mailbox that create the demo data. Each but those of `sender` throws a StackError after an
 * unexpected response.
 */
export interface DemoApi {
  get(path: string, token?: string): Promise<Body>;
  post(path: string, body: Body, token?: string): Promise<Body>;
  put(path: string, body: Body, token?: string): Promise<Body>;
  patch(path: string, body: Body, token: string): Promise<Body>;
  /** Sends a PNG. */
  upload(path: string, bytes: Buffer<ArrayBuffer>, token: string): Promise<Body>;
  /** Sends requests of a shopper, whose refusals are returned. */
  sender(token?: string): Send;
  logIn(credentials: Credentials): Promise<Session>;
  /** Returns null where the login fails. */
  tryLogIn(credentials: Credentials): Promise<Session | null>;
  /**
   * Verifies the email of a registration with the code in the mail. Returns null for a trade account, because it cannot
   * log in before its approval. Waits up to 30 s for the mail.
   */
  prove(registration: Registration): Promise<Session | null>;
}

/** The API's answer to a registration. */
interface Registration {
  readonly registrationId: string;
  readonly email: string;
}

/** How long the services may take to hear events of each other: long, for a machine with much else to do. */
export const eventTimeoutMs = 60_000;

const mailTimeoutMs = 30_000;
const overloadTimeoutMs = 60_000;

export function createDemoApi(address: string, mailbox: string): DemoApi {
  /**
   * Repeats the request while the server is overloaded. The idempotency key stays the same, so nothing is created
   * twice.
   */
  async function send(
    method: string,
    path: string,
    body?: object | Buffer<ArrayBuffer>,
    token?: string,
    others?: Readonly<Record<string, string>>,
  ) {
    const isPicture = body instanceof Buffer;
    const headers = {
      ...others,
      ...(body && { 'content-type': isPicture ? 'image/png' : 'application/json', 'idempotency-key': randomUUID() }),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const deadline = Date.now() + overloadTimeoutMs;
    for (;;) {
      const request = { method, headers, ...(body && { body: isPicture ? body : JSON.stringify(body) }) };
      const response = await fetch(new URL(path, address), request);
      const { status, ok } = response;
      const content = (await response.json()) as Body;
      const isOverloaded = status === 429 || status === 503;
      if (!isOverloaded || Date.now() > deadline) return { status, ok, content };
      await wait(Number(response.headers.get('retry-after') ?? 1) * 1000);
    }
  }

  async function expectOk(
    method: string,
    path: string,
    body?: Body | Buffer<ArrayBuffer>,
    token?: string,
  ): Promise<Body> {
    const { ok, status, content } = await send(method, path, body, token);
    if (ok) return content;
    throw refused(method, path, status, content);
  }

  const session = ({ accessToken, user }: Body): Session => ({
    token: String(accessToken),
    userId: (user as { id: string }).id,
  });

  return {
    get: (path, token) => expectOk('GET', path, undefined, token),
    post: (path, body, token) => expectOk('POST', path, body, token),
    put: (path, body, token) => expectOk('PUT', path, body, token),
    patch: (path, body, token) => expectOk('PATCH', path, body, token),
    upload: (path, bytes, token) => expectOk('POST', path, bytes, token),
    sender: (token) => async (method, path, body, headers) => {
      const { status, content } = await send(method, path, body, token, headers);
      return { status, body: content };
    },
    logIn: async ({ email, password }) => session(await expectOk('POST', '/v1/auth/login', { email, password })),
    async tryLogIn({ email, password }) {
      const { ok, content } = await send('POST', '/v1/auth/login', { email, password });
      return ok ? session(content) : null;
    },
    async prove({ registrationId, email }) {
      const deadline = Date.now() + mailTimeoutMs;
      const tried = new Set<string>();
      for (;;) {
        // There may also be a code from an earlier start that was interrupted. It belongs to another registration, so
        // every code is tried.
        // The mailbox may just have closed the connection on which it is asked; then it is asked again.
        const codes = await readCodes(email).catch((): string[] => []);
        for (const code of codes.filter((each) => !tried.has(each))) {
          tried.add(code);
          const { ok, status, content } = await send('POST', '/v1/auth/verify', { registrationId, code });
          if (ok) return content.status === 'pending-approval' ? null : session(content);
          if (content.code !== 'invalid_code') throw refused('POST', '/v1/auth/verify', status, content);
        }
        if (Date.now() > deadline)
          throw new StackError(
            `The demo data could not be made: no mail with the code came to ${email}. Use --empty to start without it.`,
          );
        await wait(20);
      }
    },
  };

  /** The codes in the mails to that address, newest mail first. */
  async function readCodes(email: string): Promise<string[]> {
    const search = new URL('/api/v1/search', mailbox);
    search.searchParams.set('query', `to:"${email}"`);
    const { messages } = (await (await fetch(search)).json()) as { messages: { ID: string }[] };
    const codes = messages.map(async ({ ID }) => {
      const mail = (await (await fetch(new URL(`/api/v1/message/${ID}`, mailbox))).json()) as { Text: string };
      return /\b\d{6}\b/.exec(mail.Text) ?? [];
    });
    return (await Promise.all(codes)).flat();
  }
}

function refused(method: string, path: string, status: number, content: Body): StackError {
  const { detail, code, errors = [] } = content as Partial<ProblemBody>;
  const fields = errors.map(({ pointer, message }) => ` ${pointer}: ${message}`).join('');
  return new StackError(
    `The demo data could not be made: ${method} ${path} answered ${status} (${detail ?? code}${fields}). ` +
      'Use --empty to start without it.',
  );
}
