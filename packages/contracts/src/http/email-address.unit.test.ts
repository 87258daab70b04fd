import { describe, expect, it } from 'vitest';
import { emailAddress, emailAsTyped, enteredEmail } from './email-address.ts';

describe('an email address in a request', () => {
  it.each([
    ['Ada@Example.com', 'ada@example.com', 'ada@example.com'],
    ['a&b@example.com', 'a&b@example.com', 'a&b@example.com'],
    ["o'neill+shop/1@example.com", "o'neill+shop/1@example.com", "o'neill+shop/1@example.com"],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example', 'ann@bücher.example'],
    ['Ann@BÜCHER.example', 'ann@xn--bcher-kva.example', 'ann@bücher.example'],
    ['ann@bu\u0308cher.example', 'ann@xn--bcher-kva.example', 'ann@bücher.example'],
    ['ann@xn--bcher-kva.example', 'ann@xn--bcher-kva.example', 'ann@xn--bcher-kva.example'],
    ['ivan@xn--e1afmkfd.xn--p1ai', 'ivan@xn--e1afmkfd.xn--p1ai', 'ivan@xn--e1afmkfd.xn--p1ai'],
    ['ivan@пример.рф', 'ivan@xn--e1afmkfd.xn--p1ai', 'ivan@пример.рф'],
    ['a@faß.de', 'a@xn--fa-hia.de', 'a@faß.de'],
    ['a@例え。jp', 'a@xn--r8jz45g.jp', 'a@例え.jp'],
  ])('%s is %s, shown as %s', (typed, email, shown) => {
    expect(emailAddress.parse(typed)).toBe(email);
    expect(emailAsTyped(enteredEmail.parse(typed))).toBe(shown);
  });

  it.each([
    'a@b-.com',
    'a@-b.com',
    'a@b..com',
    'a@b.com.',
    'a@example',
    'a@1.2.3.4',
    'a@0x7f.1',
    'a@[127.0.0.1]',
    'a@b_c.com',
    'a@b%61.com',
    'a@xn--a.com',
    'a@xn--zz-.com',
    'a@exa\u200bmple.com',
    'a@exa\u00admple.com',
    'a@ex\u202eample.com',
    'a@℀.com',
    'a.@b.com',
    '.a@b.com',
    'a..b@c.com',
    '"a"@b.com',
    'a,b@c.com',
    'a b@c.com',
    'a@b.com,c@d.com',
    'a@b@c.com',
    'a\r\nBcc: x@y.com',
    'a@b.com\nx',
    '@b.com',
    'a@',
    'a',
    '',
    `${'a'.repeat(65)}@b.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'ü'.repeat(60)}.com`,
    `a@${'bc.'.repeat(90)}com`,
  ])('%j is none', (typed) => {
    const { error } = emailAddress.safeParse(typed);
    expect(error?.issues).toMatchObject([{ code: 'invalid_format' }]);
  });

  it.each(['jürgen@example.com', 'an\u212Aa@example.com'])('%s is refused for what stands before the @', (typed) => {
    const { error } = emailAddress.safeParse(typed);
    expect(error?.issues).toMatchObject([{ message: expect.stringContaining('before the @') }]);
  });
});
