import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Account } from './accounts.ts';
import { StackError } from './error.ts';

type Body = Record<string, unknown>;

/** Somebody who is logged in. */
export interface Session {
  readonly token: string;
  readonly userId: string;
}

/** What making the demo needs of the API and of the mailbox. Everything unexpected is a StackError. */
export interface Api {
  get(path: string, token?: string): Promise<Body>;
  post(path: string, body: Body, token?: string): Promise<Body>;
  logIn(account: Account): Promise<Session>;
  /** null where the credentials are not known. */
  tryLogIn(account: Account): Promise<Session | null>;
  verify(email: string, code: string): Promise<Session>;
  /** The code in the newest mail to that address; waits for the mail up to half a minute. */
  readCode(email: string): Promise<string>;
}

const mailWaitMs = 30_000;
const busyWaitMs = 60_000;

export function connectApi(address: string, mailbox: string): Api {
  /** Tries again while a busy machine says so, under the same key: nothing is made twice. */
  async function send(method: string, path: string, body?: Body, token?: string) {
    const headers = {
      ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const deadline = Date.now() + busyWaitMs;
    for (;;) {
      const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const answer = await fetch(new URL(path, address), sent);
      const content = (await answer.json()) as Body;
      const isBusy = answer.status === 429 || answer.status === 503;
      if (!isBusy || Date.now() > deadline) return { status: answer.status, ok: answer.ok, content };
      await wait(Number(answer.headers.get('retry-after') ?? 1) * 1000);
    }
  }

  async function expectOk(method: string, path: string, body?: Body, token?: string): Promise<Body> {
    const { ok, status, content } = await send(method, path, body, token);
    if (ok) return content;
    throw new StackError(
      `The demo data could not be made: ${method} ${path} answered ${status} (${String(content.detail ?? content.code)}). Use --empty to start without it.`,
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
      const deadline = Date.now() + mailWaitMs;
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
