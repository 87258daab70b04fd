import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Credentials } from './accounts.ts';
import { StackError } from './error.ts';

type Body = Record<string, unknown>;

/** A user who is logged in. */
export interface Session {
  readonly token: string;
  readonly userId: string;
}

/** The calls to the API and the mailbox that create the demo data. An unexpected response throws a StackError. */
export interface DemoApi {
  get(path: string, token?: string): Promise<Body>;
  post(path: string, body: Body, token?: string): Promise<Body>;
  logIn(credentials: Credentials): Promise<Session>;
  /** Null if the login fails. */
  tryLogIn(credentials: Credentials): Promise<Session | null>;
  verify(email: string, code: string): Promise<Session>;
  /** The code in the newest mail to that address. Waits up to 30 s for the mail. */
  readCode(email: string): Promise<string>;
}

const mailTimeoutMs = 30_000;
const overloadTimeoutMs = 60_000;

export function createDemoApi(address: string, mailbox: string): DemoApi {
  /** Retries while the server is overloaded, with the same idempotency key, so that nothing is created twice. */
  async function send(method: string, path: string, body?: Body, token?: string) {
    const headers = {
      ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const deadline = Date.now() + overloadTimeoutMs;
    for (;;) {
      const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const response = await fetch(new URL(path, address), request);
      const { status, ok } = response;
      const content = (await response.json()) as Body;
      const isOverloaded = status === 429 || status === 503;
      if (!isOverloaded || Date.now() > deadline) return { status, ok, content };
      await wait(Number(response.headers.get('retry-after') ?? 1) * 1000);
    }
  }

  async function expectOk(method: string, path: string, body?: Body, token?: string): Promise<Body> {
    const { ok, status, content } = await send(method, path, body, token);
    if (ok) return content;
    throw new StackError(
      `The demo data could not be made: ${method} ${path} answered ${status} ` +
        `(${String(content.detail ?? content.code)}). Use --empty to start without it.`,
    );
  }

  const session = ({ accessToken, user }: Body): Session => ({
    token: String(accessToken),
    userId: (user as { id: string }).id,
  });

  return {
    get: (path, token) => expectOk('GET', path, undefined, token),
    post: (path, body, token) => expectOk('POST', path, body, token),
    logIn: async ({ email, password }) => session(await expectOk('POST', '/v1/auth/login', { email, password })),
    verify: async (email, code) => session(await expectOk('POST', '/v1/auth/verify', { email, code })),
    async tryLogIn({ email, password }) {
      const { ok, content } = await send('POST', '/v1/auth/login', { email, password });
      return ok ? session(content) : null;
    },
    async readCode(email) {
      const deadline = Date.now() + mailTimeoutMs;
      const search = new URL('/api/v1/search', mailbox);
      search.searchParams.set('query', `to:"${email}"`);
      for (;;) {
        const { messages } = (await (await fetch(search)).json()) as { messages: { ID: string }[] };
        for (const { ID } of messages) {
          const mail = (await (await fetch(new URL(`/api/v1/message/${ID}`, mailbox))).json()) as { Text: string };
          const [code] = /\b\d{6}\b/.exec(mail.Text) ?? [];
          if (code) return code;
        }
        if (Date.now() > deadline)
          throw new StackError(
            `The demo data could not be made: no mail with a code came to ${email}. Use --empty to start without it.`,
          );
        await wait(20);
      }
    },
  };
}
