import { auditRecord, newId, operator, type Actor } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { attemptsOf, isKept, limitsOf } from './flood.ts';

const ada = newId('user');
const nobody: Actor = { userId: null, role: 'nobody', ip: '203.0.113.7', device: null };
const user = (id: string | null) => ({ type: 'user', id });
const keysOf = (...args: Parameters<typeof auditRecord>) => limitsOf(auditRecord(...args)).map(({ key }) => key);
const refused = 'invalid_credentials';

describe('what an entry counts against', () => {
  it.each([
    ['a stranger and an account', nobody, ada, ['address 203.0.113.7', `account ${ada} login refused`]],
    ['a stranger and no account', nobody, null, ['address 203.0.113.7', 'nobody login refused']],
    ['somebody logged in', { ...nobody, userId: ada, role: 'retail' }, ada, [`person ${ada} login refused`]],
    ['a refused administrator', { ...nobody, userId: ada, role: 'admin' }, ada, [`person ${ada} login refused`]],
  ])('%s', (_who, actor, about, keys) => {
    expect(keysOf(actor, 'login', { object: user(about), refused })).toEqual(keys);
  });

  it('is nothing for what staff or the operator has done', () => {
    expect(keysOf(operator, 'import-begun', { object: { type: 'import', id: 'imp_1' } })).toEqual([]);
    expect(keysOf({ ...nobody, userId: ada, role: 'admin' }, 'login', { object: user(ada) })).toEqual([]);
  });
});

describe('a flood', () => {
  const account = { key: 'account', free: 50 };
  const address = { key: 'address', free: 500 };

  it('of a million in a day leaves a few entries more than the limit, the last with how many there were', () => {
    const of = (count: number) => [{ limit: account, count }];
    const kept = Array.from({ length: 1_000_000 }, (_, index) => index + 1).filter((count) => isKept(of(count)));
    expect(kept).toHaveLength(50 + 14);
    expect(attemptsOf(of(kept.at(-1) ?? 0))).toBe(524_288);
    expect(attemptsOf(of(50))).toBeNull();
  });

  it.each([
    ['within both limits', 500, 50, true, null],
    ['beyond that of the account', 51, 51, false, 51],
    ['beyond that of the address', 501, 7, false, 7],
    ['beyond that of the address, but new at the account', 501, 1, true, 1],
    ['beyond both, at a power of two', 600, 64, true, 64],
  ])('%s', (_which, fromAddress, atAccount, kept, attempts) => {
    const counted = [
      { limit: address, count: fromAddress },
      { limit: account, count: atAccount },
    ];
    expect(isKept(counted)).toBe(kept);
    expect(attemptsOf(counted)).toBe(attempts);
  });
});
