import { expect, it } from 'vitest';
import { isSame, signDemoCallback, signLink } from './signature.ts';

it('signs a callback over the second and the body', () => {
  // echo -n '1700000000.{}' | openssl dgst -sha256 -hmac secret
  expect(signDemoCallback('secret', '{}', new Date(1_700_000_000_999))).toBe(
    't=1700000000,v1=b8569b78799ff9e3cbff0fc2d63a33a2b57f3282abd07c37ae5e8e7d79a5f163',
  );
});

it('signs all that an address says', () => {
  // echo -n 'pay_1.12000.EUR.INV-2026-000123,INV-2026-000124' | openssl dgst -sha256 -hmac secret
  const link = { paymentId: 'pay_1', amount: '12000', currency: 'EUR', purpose: 'INV-2026-000123,INV-2026-000124' };
  expect(signLink('secret', link)).toBe('16b3838c040cfbda4fcfdc24bcdd1fca59035bae0b7b493f279339ca0c4d40a1');
});

it('compares texts of different lengths too', () => {
  expect([isSame('abc', 'abc'), isSame('ab', 'abc'), isSame('', 'abc')]).toEqual([true, false, false]);
});
