import { describe, expect, it } from 'vitest';
import { createPasswords } from './passwords.ts';

describe('hashing passwords', () => {
  it('is argon2id at the recommended cost', async () => {
    const passwords = await createPasswords();
    const hash = await passwords.hash('a quiet lake');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.verify(hash, 'a quiet lake')).toBe(true);
    expect(await passwords.verify(hash, 'a loud lake')).toBe(false);
  });

  it('accepts no password where there is no hash', async () => {
    const passwords = await createPasswords();
    expect(await passwords.verify(null, 'a quiet lake')).toBe(false);
  });

  it('refuses at once what is too much for the queue', async () => {
    const passwords = await createPasswords();
    const results = await Promise.allSettled(Array.from({ length: 80 }, () => passwords.hash('a quiet lake')));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(12);
    for (const { reason } of refused) expect(reason).toMatchObject({ kind: 'unavailable', code: 'overloaded' });
    // Hashing is meant to be slow, and slower where other tests want the processor too.
  }, 30_000);
});
