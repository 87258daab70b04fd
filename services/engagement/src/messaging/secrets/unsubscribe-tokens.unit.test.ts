import { newId } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { createUnsubscribeTokens } from './unsubscribe-tokens.ts';

const tokens = createUnsubscribeTokens('a secret of some length for tests');
const userId = newId('user');

describe('a token to unsubscribe', () => {
  it('shows the user and the category to a reader with the secret', () => {
    for (const category of ['offers', 'marketing'] as const) {
      const token = tokens.make({ userId, category });
      expect(tokens.read(token)).toEqual({ userId, category });
      expect(token).toMatch(/^[A-Za-z0-9_-]{64}$/);
      expect(tokens.make({ userId, category })).toBe(token);
      expect(createUnsubscribeTokens('another secret').read(token)).toBeNull();
    }
  });

  it('shows nobody who is meant', () => {
    const token = tokens.make({ userId, category: 'offers' });
    const bytes = Buffer.from(token, 'base64url');
    expect(bytes.includes(userId.slice(5))).toBe(false);
    // Two users share nothing but the length, though the beginnings of their ids are the same.
    const other = Buffer.from(tokens.make({ userId: newId('user'), category: 'offers' }), 'base64url');
    expect(other.subarray(0, 24).equals(bytes.subarray(0, 24))).toBe(false);
  });

  it('is good for nothing once any bit of it is another one', () => {
    const bytes = Buffer.from(tokens.make({ userId, category: 'offers' }), 'base64url');
    const forged = Array.from({ length: bytes.length * 8 }, (_, bit) => {
      const copy = Buffer.from(bytes);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return copy.toString('base64url');
    });
    expect(forged.filter((token) => tokens.read(token) !== null)).toEqual([]);
  });

  it.each(['', 'x', 'A'.repeat(63), 'A'.repeat(64), 'A'.repeat(65), `${'A'.repeat(63)}=`, '%00'.repeat(21)])(
    'is not %j',
    (text) => {
      expect(tokens.read(text)).toBeNull();
    },
  );
});
