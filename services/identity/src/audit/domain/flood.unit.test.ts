import { auditRecord, newId, operator } from '@storefront/contracts';
import type { Actor } from '@storefront/contracts';
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

  it('is nothing for what an administrator or the operator has done', () => {
    expect(keysOf(operator, 'import-begun', { object: { type: 'import', id: 'imp_1' } })).toEqual([]);
    expect(keysOf({ ...nobody, userId: ada, role: 'admin' }, 'login', { object: user(ada) })).toEqual([]);
  });
});

describe('a flood', () => {
  const limit = { key: 'address', free: 200 };
  const counted = (count: number) => [{ limit, count }];

  it('of a million in a day leaves a few entries more than the limit, the last with how many there were', () => {
    const kept = Array.from({ length: 1_000_000 }, (_, index) => index + 1).filter((count) => isKept(counted(count)));
    expect(kept).toHaveLength(200 + 12);
    expect(attemptsOf(counted(kept.at(-1) ?? 0))).toBe(524_288);
  });

  it('is measured by every limit', () => {
    const other = { limit: { key: 'account', free: 50 }, count: 51 };
    expect(isKept([...counted(1), other])).toBe(false);
    expect(isKept([...counted(1), { ...other, count: 64 }])).toBe(true);
    expect(attemptsOf([...counted(1), { ...other, count: 64 }])).toBe(64);
    expect(attemptsOf(counted(200))).toBeNull();
  });
});
