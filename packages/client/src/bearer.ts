import { ApiError } from './errors.ts';
import type { SessionStore, Tokens } from './session-store.ts';

/** The answer of operations that begin or go on with a session. */
export interface TokenAnswer {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresIn: number;
}

/** Sends a body to a path of the auth operations, without a token, and returns the answer. Throws ApiErrors. */
export type Post = (path: string, body: object | undefined) => Promise<TokenAnswer>;

/** The access token of a session, kept alive. */
export interface Bearer {
  /** The token to send; undefined where nobody is logged in. Refreshes it if it is about to expire. */
  token(): Promise<string | undefined>;
  /** Gets another token in place of one that was refused. False where the session is over. */
  renew(refused: string): Promise<boolean>;
  keep(answer: TokenAnswer): Promise<void>;
  end(): Promise<void>;
  /** Learns from an answer what time it is by the clock of the API. */
  noteTime(headers: Headers): void;
}

const aheadMs = 60_000;

/** Refreshes under way, so that all clients of a session share one. */
const flights = new WeakMap<SessionStore, Promise<Tokens | undefined>>();

export function bearerOf(store: SessionStore, post: Post): Bearer {
  let aheadOfUsMs = 0;
  let hasEnded = false;
  const now = () => Date.now() + aheadOfUsMs;
  const tokensOf = ({ accessToken, refreshToken, expiresIn }: TokenAnswer): Tokens => ({
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    expiresAt: now() + expiresIn * 1000,
  });

  async function refresh(refused: string | undefined): Promise<Tokens | undefined> {
    const held = await store.read();
    // Meanwhile another page has got the next tokens, or has logged out.
    if (held?.accessToken !== refused) return held;
    if (!held?.refreshToken && !store.cookie) return undefined;
    const { cookie } = store;
    const body = cookie ? undefined : { refreshToken: held?.refreshToken };
    const next = await post(cookie?.refresh ?? '/v1/auth/refresh', body)
      .then(tokensOf)
      .catch((error: unknown) => {
        if (error instanceof ApiError && [400, 401, 403].includes(error.status)) return undefined;
        throw error;
      });
    // Somebody may have logged in meanwhile, whose tokens these are not.
    const latest = await store.read();
    if (latest?.accessToken !== refused) return latest;
    await store.write(next);
    return next;
  }

  function refreshOnce(refused: string | undefined): Promise<Tokens | undefined> {
    const under = flights.get(store);
    if (under) return under;
    const work = () => refresh(refused);
    const flight = (store.exclusively?.(work) ?? work()).finally(() => flights.delete(store));
    flights.set(store, flight);
    return flight;
  }

  return {
    async token() {
      const held = await store.read();
      if (!held) {
        // A page that was just opened does not know whether there is a cookie.
        if (!store.cookie || hasEnded) return undefined;
        const begun = await refreshOnce(undefined);
        hasEnded = begun === undefined;
        return begun?.accessToken;
      }
      const canRefresh = held.refreshToken !== undefined || store.cookie !== undefined;
      if (!canRefresh || held.expiresAt - now() > aheadMs) return held.accessToken;
      try {
        return (await refreshOnce(held.accessToken))?.accessToken;
      } catch (error) {
        if (held.expiresAt > now()) return held.accessToken;
        throw error;
      }
    },
    async renew(refused) {
      const next = await refreshOnce(refused);
      return next !== undefined && next.accessToken !== refused;
    },
    async keep(answer) {
      hasEnded = false;
      const { cookie } = store;
      const { refreshToken } = answer;
      await store.write(
        tokensOf(cookie && refreshToken !== undefined ? await post(cookie.keep, { refreshToken }) : answer),
      );
    },
    async end() {
      hasEnded = true;
      await store.write(undefined);
    },
    noteTime(headers) {
      const time = Date.parse(headers.get('date') ?? '');
      // The header has whole seconds: on average half a second more.
      if (!Number.isNaN(time)) aheadOfUsMs = time + 500 - Date.now();
    },
  };
}
