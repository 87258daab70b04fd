import { userDataKeepers } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { addPart, newErasure, recordErased, startExport, type UserExport } from './data-request.ts';
import { newUser } from '../../domain/user.ts';

const now = new Date('2026-11-21T09:30:00Z');
const later = (hours: number) => new Date(now.getTime() + hours * 60 * 60 * 1000);
const who = { userId: 'user_1', email: 'ada@example.com', exportId: 'exp_1' };
const person = { email: who.email, firstName: 'Ada', lastName: 'L', phone: null, passwordHash: 'hash' };
const own = { data: { user: {} }, user: newUser(who.userId, person, now, now) };

function requested(current: UserExport | null = null, exportId = 'exp_1', at = now): UserExport {
  return startExport(current, { ...who, exportId, by: 'user' }, at).result;
}

describe('an erasure', () => {
  it('waits for every service that keeps data about people, each once', () => {
    const erasure = newErasure('user_1', now);
    expect(erasure.waitingFor).toEqual(userDataKeepers);
    const { result } = recordErased(erasure, 'account');
    expect(result?.waitingFor).toEqual(userDataKeepers.filter((keeper) => keeper !== 'account'));
    expect(recordErased(result, 'account')).toEqual({ kind: 'unchanged', result });
  });

  it('that is finished stays finished', () => {
    expect(recordErased(null, 'account')).toEqual({ kind: 'unchanged', result: null });
  });
});

describe('an export', () => {
  const part = (keeper: (typeof userDataKeepers)[number], exportId = 'exp_1') => ({
    exportId,
    keeper,
    data: { keeper },
  });

  it('is one at a time, and another one once it is ready or a day has passed', () => {
    const first = requested();
    expect(requested(first, 'exp_2', later(23))).toBe(first);
    expect(requested(first, 'exp_2', later(25)).exportId).toBe('exp_2');
    expect(requested({ ...first, readyAt: later(1) }, 'exp_2', later(2)).exportId).toBe('exp_2');
    const ready = { ...first, readyAt: later(1) };
    expect(requested(ready, 'exp_1', later(2))).toBe(ready);
  });

  it('is ready with the last part, in any order, and published once', () => {
    let current = requested();
    const facts = userDataKeepers.toReversed().map((keeper) => {
      const decision = addPart(current, part(keeper), own, later(1));
      if (decision.kind !== 'changed') throw new Error(`${keeper} changed nothing`);
      current = decision.state;
      return decision.facts.map(({ type }) => type);
    });
    expect(facts.flat()).toEqual(['identity.user-export-ready']);
    expect(facts.at(-1)).toHaveLength(1);
    expect(current).toMatchObject({ waitingFor: [], readyAt: later(1), expiresAt: later(1 + 7 * 24) });
    expect(Object.keys(current.parts).toSorted()).toEqual([...userDataKeepers, 'identity'].toSorted());
    expect(addPart(current, part('account'), own, later(2)).kind).toBe('unchanged');
  });

  it('takes no part of another export', () => {
    expect(addPart(requested(), part('account', 'exp_0'), own, now).kind).toBe('unchanged');
    expect(addPart(null, part('account'), own, now).kind).toBe('unchanged');
  });
});
