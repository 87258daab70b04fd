import { setTimeout as wait } from 'node:timers/promises';
import { type Reply, isSuccess } from '../client.ts';
import type { History, HistoryNeeds } from './history.ts';
import { checkLinearizable } from './linearizable.ts';
import { createRecorder, type NoOutput } from './recorder.ts';
import { sessionModel, type SessionInput, type SessionOutput } from './session-model.ts';

const password = 'a quiet lake in the evening';
const usersAtOnce = 2;
const triesToEnd = 3;
const retryMs = 1000;

interface Pace {
  /** The least and the most time for which a session is used before its end. */
  readonly beforeEndMs: readonly [least: number, most: number];
  /** For so long its tokens are used after its end. */
  readonly afterEndMs: number;
}

const usualPace: Pace = { beforeEndMs: [1500, 4000], afterEndMs: 2000 };

/** Registers a person and proves the email. Null where that fails. */
export async function openAccount({ client, mails, name }: HistoryNeeds): Promise<string | null> {
  const email = `history-${name}@example.com`;
  const body = { email, password, firstName: 'Ada', lastName: 'Byron' };
  const registered = await client.call('POST', '/v1/auth/register', { body, key: email });
  if (!isSuccess(registered)) return null;
  const deadline = performance.now() + 60_000;
  for (;;) {
    const code = mails
      .to(email)
      .map(({ subject }) => /^(\d{6}) is your code/.exec(subject)?.[1])
      .find(Boolean);
    if (code) {
      const { registrationId } = registered.body;
      const verified = await client.call('POST', '/v1/auth/verify', { body: { registrationId, code } });
      return isSuccess(verified) ? email : null;
    }
    if (performance.now() > deadline) return null;
    await wait(100);
  }
}

/**
 * Records sessions of the account, one after the other, until `isOver`, or until no logout of a session was answered: one may
 * then be carried out at any later time, and ends every session that the account has by then. Once one was answered, the
 * others end nothing that begins later.
 */
export async function recordSessionsOf(
  email: string,
  needs: HistoryNeeds,
  { isOver, into, pace = usualPace }: { isOver: () => boolean; into: History[]; pace?: Pace },
): Promise<void> {
  for (let number = 1; !isOver(); number += 1) {
    const session = await recordSession(needs, email, number, pace);
    if (session) into.push(session.history);
    else await wait(retryMs);
    if (session?.logoutMayFollow) return;
  }
}

/**
 * Logs in, uses the tokens at all gateways from several callers at once, exchanges the refresh token, ends the session by a
 * logout or by using a refresh token until it is refused, and goes on using the tokens. Null where the login fails.
 */
async function recordSession(
  needs: HistoryNeeds,
  email: string,
  number: number,
  { beforeEndMs, afterEndMs }: Pace,
): Promise<{ history: History; logoutMayFollow: boolean } | null> {
  const { client, gateways, random } = needs;
  const login = await client.call('POST', '/v1/auth/login', { body: { email, password } });
  // After a lost response there may be a second session, which does no harm.
  if (!isSuccess(login)) return null;
  const accessTokens: string[] = [login.body.accessToken];
  const refreshTokens: string[] = [login.body.refreshToken];
  const recorder = createRecorder<SessionInput, SessionOutput>();
  let mayRefresh = true;
  let isOver = false;

  async function use(): Promise<void> {
    const gateway = random.pick(gateways);
    const token = random.pick(accessTokens);
    await recorder.call({ kind: 'use', gateway }, async () => {
      const reply = await client.once(gateway, 'GET', '/v1/users/me', { token });
      const outcome = outcomeOf(reply);
      return outcome === 'unknown' ? 'nothing' : outcome;
    });
  }

  async function refresh(token: number): Promise<SessionOutput | NoOutput> {
    const gateway = random.pick(gateways);
    return recorder.call({ kind: 'refresh', gateway, token }, async () => {
      const body = { refreshToken: refreshTokens[token] };
      const reply = await client.once(gateway, 'POST', '/v1/auth/refresh', { body });
      if (isSuccess(reply)) {
        accessTokens.push(reply.body.accessToken);
        refreshTokens.push(reply.body.refreshToken);
      }
      return outcomeOf(reply);
    });
  }

  async function logOut(): Promise<SessionOutput | NoOutput> {
    const gateway = random.pick(gateways);
    return recorder.call({ kind: 'logout', gateway }, async () =>
      outcomeOf(await client.once(gateway, 'POST', '/v1/auth/logout', { token: accessTokens.at(-1) })),
    );
  }

  const using = Array.from({ length: usersAtOnce }, async () => {
    while (!isOver) {
      await use();
      await wait(random.between(30, 250));
    }
  });
  const refreshing = (async () => {
    while (mayRefresh) {
      await wait(random.between(200, 800));
      // After a lost response nobody has the token that is valid now.
      if (mayRefresh && (await refresh(refreshTokens.length - 1)) !== 'accepted') mayRefresh = false;
    }
  })();
  await wait(random.between(...beforeEndMs));
  mayRefresh = false;
  await refreshing;
  const reuses = refreshTokens.length > 1 && random.between(1, 3) === 1;
  let isAnswered = false;
  for (let tries = 0; tries < triesToEnd && !isAnswered; tries += 1) {
    const outcome = await (reuses ? refresh(0) : logOut());
    // The token that was exchanged last may be answered once more.
    isAnswered = outcome === 'refused' || (outcome === 'accepted' && !reuses);
  }
  await wait(afterEndMs);
  isOver = true;
  await Promise.all(using);
  const history: History = {
    object: `session ${number} of ${email}`,
    calls: recorder.calls.length,
    verdict: async () => checkLinearizable(sessionModel, recorder.calls),
    show: () => recorder.calls.map((call) => JSON.stringify(call)),
  };
  return { history, logoutMayFollow: !reuses && !isAnswered };
}

function outcomeOf(reply: Reply): SessionOutput | 'unknown' {
  if (isSuccess(reply)) return 'accepted';
  return reply.status === 401 ? 'refused' : 'unknown';
}
