import type { Model } from './linearizable.ts';

export type SessionInput =
  /** A request with an access token of the session. */
  | { readonly kind: 'use'; readonly gateway: string }
  | { readonly kind: 'logout'; readonly gateway: string }
  /**
   * `token` counts the refresh tokens of the session. The one that was exchanged last may be answered once more; another use of
   * one that was exchanged before ends the session.
   */
  | { readonly kind: 'refresh'; readonly gateway: string; readonly token: number };

export type SessionOutput = 'accepted' | 'refused';

type SessionState =
  | {
      readonly isAlive: true;
      readonly token: number;
      /** The exchange of the token before may be answered once more. */
      readonly mayAnswerAgain: boolean;
    }
  | {
      readonly isAlive: false;
      /** When the first answer came that shows the end; Infinity without one. */
      readonly knownAt: number;
      /** The gateways that know the end, each with the end of its first answer that shows it. */
      readonly gateways: Readonly<Record<string, number>>;
    };

/** For so long after the first answer that shows the end of a session, other gateways may still accept its tokens. */
const otherGatewaysMs = 1000;

/**
 * One session from its login to its end. A gateway that has carried the answer to a logout, or has refused a token, refuses
 * all tokens of the session from then on.
 */
export const sessionModel: Model<SessionState, SessionInput, SessionOutput> = {
  initial: { isAlive: true, token: 0, mayAnswerAgain: false },
  keyOf: (state) => JSON.stringify(state),
  next(state, { input, output, begin, end }) {
    const knownAt = Math.min(end, state.isAlive ? Infinity : state.knownAt);
    const gateways = state.isAlive ? {} : state.gateways;
    const ended: SessionState = { isAlive: false, knownAt, gateways };
    const endedAtGateway: SessionState = {
      ...ended,
      gateways: { ...gateways, [input.gateway]: Math.min(end, gateways[input.gateway] ?? Infinity) },
    };
    switch (input.kind) {
      case 'use': {
        if (state.isAlive) return output === 'refused' ? [] : [state];
        if (output === 'refused') return [endedAtGateway];
        const refusesFrom = Math.min(state.gateways[input.gateway] ?? Infinity, state.knownAt + otherGatewaysMs);
        return begin > refusesFrom ? [] : [state];
      }
      case 'logout':
        // A second one is refused, because its token was revoked by the first.
        if (output === 'refused') return state.isAlive ? [] : [endedAtGateway];
        return [output === undefined ? ended : endedAtGateway];
      case 'refresh': {
        const isCurrent = state.isAlive && state.token === input.token;
        if (isCurrent)
          return output === 'refused' ? [] : [{ isAlive: true, token: input.token + 1, mayAnswerAgain: true }];
        const isAgain = state.isAlive && state.mayAnswerAgain && input.token === state.token - 1;
        const answered: SessionState[] = isAgain ? [{ ...state, mayAnswerAgain: false }] : [];
        if (output === 'accepted') return answered;
        // Identity refuses it, and only the refusal that ends the session reports that to the gateway. After 20 s it refuses any.
        const refused = state.isAlive && output === 'refused' ? endedAtGateway : ended;
        return output === 'refused' ? [refused] : [refused, ...answered];
      }
    }
  },
};
