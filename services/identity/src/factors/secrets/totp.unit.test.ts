import { hkdfSync } from 'node:crypto';
import { generateSync } from 'otplib';
import { describe, expect, it } from 'vitest';
import { seal } from '../../secrets/seal.ts';
import { createTotpSecrets } from './totp.ts';

const keySecret = 'a secret of at least thirty-two characters';
const totp = createTotpSecrets(keySecret, 'Storefront');

// RFC 6238, appendix B: SHA-1, the secret `12345678901234567890`.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const vectors = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const;

const sealed = () => {
  const key = new Uint8Array(hkdfSync('sha256', keySecret, '', 'storefront second factors', 32));
  return seal({ userId: 'user_1', secret }, key);
};
const at = (seconds: number) => new Date(seconds * 1000);

describe('the codes of RFC 6238', () => {
  it.each(vectors)('at %i s: %s', async (seconds, code) => {
    expect(generateSync({ secret, epoch: seconds, digits: 8 })).toBe(code);
    // A code of six digits is the end of that of eight.
    const step = Math.floor(seconds / 30);
    expect(await totp.stepOf('user_1', await sealed(), code.slice(2), at(seconds))).toBe(step);
    expect(await totp.stepOf('user_1', await sealed(), code.slice(2), at(seconds + 30))).toBe(step);
    expect(await totp.stepOf('user_1', await sealed(), code.slice(2), at(seconds - 30))).toBe(step);
    expect(await totp.stepOf('user_1', await sealed(), code.slice(2), at((step + 2) * 30))).toBeNull();
    const tooEarly = Math.max(0, (step - 1) * 30 - 1);
    const early = await totp.stepOf('user_1', await sealed(), code.slice(2), at(tooEarly));
    expect(early).toBe(tooEarly === 0 ? step : null);
    expect(await totp.stepOf('user_1', await sealed(), '000000', at(seconds))).toBeNull();
  });
});

it('a secret is bound to its user, and differs each time', async () => {
  const [first, second] = [await totp.create('user_1'), await totp.create('user_1')];
  expect(first.secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(second.secret).not.toBe(first.secret);
  const code = generateSync({ secret: first.secret, epoch: 1000 });
  expect(await totp.stepOf('user_1', first.sealed, code, at(1000))).toBe(33);
  await expect(totp.stepOf('user_2', first.sealed, code, at(1000))).rejects.toThrow('another user');
});

it('an app reads the secret from the URL', async () => {
  const url = new URL(await totp.urlOf(secret, 'ada@example.com'));
  expect(`${url.protocol}//${url.host}`).toBe('otpauth://totp');
  expect(decodeURIComponent(url.pathname)).toBe('/Storefront:ada@example.com');
  expect(url.searchParams.get('secret')).toBe(secret);
  expect(url.searchParams.get('issuer')).toBe('Storefront');
});
