import { describe, expect, it } from 'vitest';
import { isSingleAddress } from './email-address.ts';

describe('the recipient of a mail', () => {
  it.each(['ada@example.com', "o'neill+shop@mail.example.co.uk", 'a_b-c@localhost'])('may be %s', (address) => {
    expect(isSingleAddress(address)).toBe(true);
  });

  it.each([
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com\nb@example.com',
    'a@example.com,b@example.com',
    'a@example.com;b@example.com',
    '"a b"@example.com',
    'Ada <a@example.com>',
    'a@example.com b@example.com',
    'a@@example.com',
    'a@example.com\0',
    '.a@example.com',
    'a..b@example.com',
    'a@exämple.com',
    'example.com',
    '',
    `${'a'.repeat(250)}@example.com`,
  ])('may not be %j', (address) => {
    expect(isSingleAddress(address)).toBe(false);
  });
});
