import type { Model } from './linearizable.ts';

export type SessionInput =
  /** A request with an access token of the session. */
  | { readonly kind: 'use'; readonly gateway: string }
  | { readonly kind: 'logout'; readonly gateway: string }
  /** `token` counts the refresh tokens of the session; using one that was exchanged before ends the session. */
  | { readonly kind: 'refresh'; readonly gateway: string; readonly token: number };

export type SessionOutput = 'accepted' | 'refused';

type SessionState =
  | { readonly isAlive: true; readonly token: number }
  /** `knownAt`: when the caller got the answer that ended the session. */
  | { readonly isAlive: false; readonly gateway: string; readonly knownAt: number };

/** For so long after the answer to a logout the other gateways may still accept the tokens. */
const otherGatewaysMs = 1000;

/** One session from its login to its end. The gateway that carries the answer to a logout refuses its tokens at once. */
export const sessionModel: Model<SessionState, SessionInput, SessionOutput> = {
  initial: { isAlive: true, token: 0 },
  keyOf: (state) => (state.isAlive ? `alive ${state.token}` : `ended at ${state.gateway} ${state.knownAt}`),
  next(state, { input, output, begin, end }) {
    const isKnown = !state.isAlive && state.knownAt <= end;
    const ended: SessionState = isKnown ? state : { isAlive: false, gateway: input.gateway, knownAt: end };
    switch (input.kind) {
      case 'use': {
        if (state.isAlive) return output === 'refused' ? [] : [state];
        const mayBeLate = state.knownAt === Infinity || state.gateway !== input.gateway;
        const isTooLate = !mayBeLate || begin > state.knownAt + otherGatewaysMs;
        return output === 'accepted' && isTooLate ? [] : [state];
      }
      case 'logout':
        // A second one is refused, because its token was revoked by the first.
        if (output === 'refused') return state.isAlive ? [] : [state];
        return [ended];
      case 'refresh': {
        const isCurrent = state.isAlive && state.token === input.token;
        if (output === 'accepted') return isCurrent ? [{ isAlive: true, token: input.token + 1 }] : [];
        if (output === 'refused') return isCurrent ? [] : [ended];
        return isCurrent ? [{ isAlive: true, token: input.token + 1 }] : [ended];
      }
    }
  },
};
