import { expect, it } from 'vitest';
import { isSame, isSigned, isSignedPage, signDemoCallback } from './signature.ts';

it('signs a callback over the second and the body', () => {
  // echo -n '1700000000.{}' | openssl dgst -sha256 -hmac secret
  expect(signDemoCallback('secret', '{}', new Date(1_700_000_000_999))).toBe(
    't=1700000000,v1=b8569b78799ff9e3cbff0fc2d63a33a2b57f3282abd07c37ae5e8e7d79a5f163',
  );
});

it('knows a signature that was made just now, of this body', () => {
  const at = new Date(1_700_000_000_000);
  const signature = signDemoCallback('secret', '{}', at);
  const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);
  expect(isSigned('secret', signature, '{}', later(300))).toBe(true);
  expect(isSigned('secret', signature, '{}', later(301))).toBe(false);
  expect(isSigned('secret', signature, '{ }', at)).toBe(false);
  expect(isSigned('other', signature, '{}', at)).toBe(false);
  expect(isSigned('secret', '', '{}', at)).toBe(false);
});

it('knows an address of which nothing was changed', () => {
  // echo -n '/pay/pay_1?amount=12000&currency=EUR&for=INV-2026-000123' | openssl dgst -sha256 -hmac secret
  const signed =
    '/pay/pay_1?amount=12000&currency=EUR&for=INV-2026-000123&t=25dea05ef0f28e97051c3a28ed54fe95c3aa02dcda5046e5cd4b7a151d44ae55';
  expect(isSignedPage('secret', signed)).toBe(true);
  for (const altered of [signed.replace('12000', '1'), signed.replace(/&t=.*/, ''), `${signed}&amount=1`, ''])
    expect(isSignedPage('secret', altered)).toBe(false);
});

it('compares texts of different lengths too', () => {
  expect([isSame('abc', 'abc'), isSame('ab', 'abc'), isSame('', 'abc')]).toEqual([true, false, false]);
});
