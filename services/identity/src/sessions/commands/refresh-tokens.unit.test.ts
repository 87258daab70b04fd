import { newId, system } from '@storefront/contracts';
import { expect, it } from 'vitest';
import type { Session } from '../domain/session.ts';
import { refreshTokens as secrets } from '../secrets/refresh-tokens.ts';
import { refreshTokens } from './refresh-tokens.ts';

const now = new Date('2026-11-26T10:00:00Z');
const user = { id: newId('user'), role: 'retail', status: 'active', tokenVersion: 1 };

/**
 * A database whose reads show `old` until something asks for all that was acknowledged, as after an election. Writes act
 * on the present state.
 */
function afterElection(old: Session | null, present: Session) {
  let state = present;
  let hasCaughtUp = false;
  const ended: string[] = [];
  const needs = {
    refreshTokens: secrets,
    accessTokens: { sign: async () => 'an access token' },
    lifetimes: { accessSeconds: 900, refreshSeconds: 3600, sessionSeconds: 86_400, consoleIdleSeconds: 1800 },
    adminMfa: 'optional',
    now: () => now,
    users: { load: async () => ({ state: user }), change: async () => ({ result: null }) },
    sessions: {
      findByFamily: async () => (hasCaughtUp ? state : old),
      async catchUp() {
        hasCaughtUp = true;
      },
      async replaceSecret(_family: string, secret: string, next: Partial<Session>) {
        if (state.secret !== secret) return false;
        state = { ...state, ...next };
        return true;
      },
      useRotation: async () => false,
      async markEnded(id: string) {
        ended.push(id);
        return true;
      },
      remove: async () => undefined,
    },
  };
  return { needs: needs as unknown as Parameters<typeof refreshTokens>[0], ended };
}

const first = secrets.create();
const second = secrets.rotate(first.token);
const session = (secret: string): Session => ({
  id: 'sess_1',
  userId: user.id,
  ver: 1,
  family: first.family,
  secret,
  device: null,
  ip: null,
  createdAt: now,
  lastUsedAt: now,
  expiresAt: new Date(now.getTime() + 1000),
  endedAt: null,
  rotation: null,
  authenticatedAt: now,
  secondFactorAt: null,
});

it.each([
  ['an older token', session(first.secret)],
  ['no session yet', null],
])('exchanges the valid token where the database still shows %s', async (_what, old) => {
  const { needs, ended } = afterElection(old, session(second.secret));
  expect((await refreshTokens(needs, second.token, system)).kind).toBe('refreshed');
  expect(ended).toEqual([]);
});

it('ends the session of a token that was used before', async () => {
  const { needs, ended } = afterElection(session(second.secret), session(second.secret));
  expect((await refreshTokens(needs, first.token, system)).kind).toBe('ended');
  expect(ended).toEqual(['sess_1']);
});
