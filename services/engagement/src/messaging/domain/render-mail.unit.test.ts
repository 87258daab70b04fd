import { describe, expect, it } from 'vitest';
import { MailError, renderMail, type RenderableMail } from './render-mail.ts';
import { registeredAs } from './templates/codes.ts';
import { writingFor } from './templates/compose.ts';
import { teaShop } from '../../../test/every-mail.ts';

const writing = writingFor(teaShop, {});
const because = 'account';
const code = { code: '493027', link: null, expiresAt: new Date('2026-11-21T09:40:00Z') };
const decision = { firstName: 'Ada', businessName: 'Lovelace & Sons', reason: 'Line one\n<b>two</b>' };

const registration = { registeredAs: null, registeredAt: '2026-11-21T09:30:00.000Z' };
const digits = { digitsExpireAt: '2026-11-21T09:40:00Z' };

const euros = (amount: number) => ({ amount, currency: 'EUR' });
const drop = {
  kind: 'price-drop',
  productId: 'prod_1',
  productName: 'Mug',
  was: euros(1999),
  now: euros(1250),
} as const;

const mails: readonly (readonly [mail: RenderableMail, words: RegExp])[] = [
  [{ template: 'verification-code', data: registration }, /code for the registration at 09:30 UTC on 21 November with/],
  [{ template: 'trade-application-received', data: registration }, /for a trade account with this email address/],
  [{ template: 'password-reset-code', data: digits }, /set a new password/],
  [{ template: 'welcome', data: { firstName: 'Ada' } }, /account is ready/],
  [{ template: 'registration-attempted', data: { attempted: 'trade' } }, /tried to register a trade account/],
  [
    {
      template: 'staff-changed',
      data: { firstName: 'Ada', role: 'admin', change: 'disabled', reason: 'Left the shop.' },
    },
    /Left the shop\./,
  ],
  [
    { template: 'staff-changed', data: { firstName: 'Ada', role: 'catalog', change: 'role-changed', reason: null } },
    /has the role catalog of the staff now/,
  ],
  [
    { template: 'staff-changed', data: { firstName: 'Ada', role: 'retail', change: 'role-changed', reason: null } },
    /is one of a customer now/,
  ],
  [
    { template: 'password-changed', data: { firstName: 'Ada', how: 'reset', factorsDropped: true } },
    /new password was set/,
  ],
  [{ template: 'login-throttled', data: { firstName: 'Ada', failures: 5 } }, /5 failed attempts/],
  [{ template: 'trade-account-submitted', data: decision }, /received the application of Lovelace & Sons/],
  [{ template: 'trade-account-approved', data: decision }, /Lovelace & Sons at Tea & Tools is approved/],
  [{ template: 'trade-account-rejected', data: decision }, /could not accept/],
  [{ template: 'trade-account-info-requested', data: decision }, /need to know a little more/],
  [{ template: 'trade-account-suspended', data: decision }, /is suspended/],
  [{ template: 'trade-account-reinstated', data: decision }, /can log in again/],
  [
    { template: 'wishlist-alert', data: { firstName: 'Ada', ...drop } },
    /Mug from your wishlist now costs €12\.50; before it was €19\.99\./,
  ],
  [
    { template: 'wishlist-alert', data: { firstName: 'Ada', ...drop, variantId: 'var_1', values: ['M', 'blue'] } },
    /Mug \(M, blue\) from your wishlist now costs €12\.50/,
  ],
  [{ template: 'user-export-ready', data: { firstName: 'Ada' } }, /copy of your data/],
  [{ template: 'account-erased', data: {} }, /everything that we keep about you is being erased/],
  [{ template: 'message', data: { subject: 'Hi', html: '<p>Hi <b>you</b></p>', text: null } }, /Hi you/],
];

describe('mails', () => {
  it.each(mails)('$template says what happened, in text and in HTML', (mail, words) => {
    const { subject, text, html } = renderMail(mail, { writing, because, code, optOut: { unsubscribeUrl: null } });
    expect(subject).toMatch(/\S/);
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text).toMatch(words);
    expect(text).not.toMatch(/<(p|br|div|a|h\d)\b/);
    expect(html).toContain('<html lang="en">');
    expect(html).toContain('Tea &amp; Tools');
    expect(text).toContain('https://shop.example/notifications/preferences');
  });

  it.each(mails.slice(0, 3))('$template has its code on a line of its own and no other six digits', (mail) => {
    const { subject, text, html } = renderMail(mail, { writing, because, code, optOut: null });
    expect(text.match(/\b\d{6}\b/g)).toEqual(['493027']);
    expect(text).toMatch(/^493027$/m);
    expect(new Set(html.match(/\b\d{6}\b/g))).toEqual(new Set(['493027']));
    expect(subject).toContain('493027');
    expect(text).toContain('09:40 UTC on 21 November');
  });

  it('says for which registration a code is, and what to do if somebody else made it', () => {
    const data = { registeredAs: 'Ada L.', registeredAt: '2026-11-21T09:30:00.000Z' };
    const { text } = renderMail({ template: 'verification-code', data }, { writing, because, code, optOut: null });
    expect(text).toContain('the registration of Ada L. at 09:30 UTC on 21 November');
    expect(text).toContain('If it was somebody else, ignore this mail');
  });

  it.each([
    ['Ada', 'Lovelace', 'Ada L.'],
    ['Jean-Luc Marie', 'Ødegård', 'Jean-Luc Ø.'],
    ['Ada', '1', 'Ada'],
    ['You won money', 'at evil.example', 'You a.'],
    ['http://evil.example', 'x', 'http x.'],
    ['+31 900 1234', 'Call', null],
    ['Pneumonoultramicroscopic', 'Long', null],
  ])('shows of %s %s no more than %s', (firstName, lastName, shown) => {
    expect(registeredAs(firstName, lastName)).toBe(shown);
  });

  const link = 'q8N5cWb0vYz3kL7mT1xR4gq8N5cWb0vYz3kL7mT1xR4';
  it('has both digits and a link to set a new password, each with its own time', () => {
    const mail = { template: 'password-reset-code', data: digits } as const;
    const expiresAt = new Date('2026-11-21T10:30:00Z');
    const { text, subject } = renderMail(mail, { writing, because, code: { ...code, link, expiresAt }, optOut: null });
    expect(subject).toContain('493027');
    expect(text).toContain(`https://shop.example/password/reset#code=${link}`);
    expect(text).toContain('until 09:40 UTC on 21 November');
    expect(text).toContain('until 10:30 UTC on 21 November');
  });

  it('has the link alone where there are no digits', () => {
    const mail = { template: 'password-reset-code', data: digits } as const;
    const { text, subject } = renderMail(mail, { writing, because, code: { ...code, code: null, link }, optOut: null });
    expect(subject).toBe('Set a new password');
    expect(text).not.toContain('Enter this code');
    expect(text).toContain(`#code=${link}`);
  });

  it('has a long code on a line of its own, and not in the subject', () => {
    const long = { ...code, code: link };
    const { text, subject } = renderMail(
      { template: 'verification-code', data: registration },
      { writing, because, code: long, optOut: null },
    );
    expect(text.split('\n')).toContain(link);
    expect(subject).not.toContain(link);
  });

  it('does not write a code mail without its code', () => {
    expect(() =>
      renderMail({ template: 'verification-code', data: registration }, { writing, because, code: null, optOut: null }),
    ).toThrow(MailError);
  });

  it('escapes text that other people wrote', () => {
    const { html, text } = renderMail(
      { template: 'trade-account-rejected', data: { ...decision, businessName: '<img src=x onerror="a()">' } },
      { writing, because, code: null, optOut: { unsubscribeUrl: null } },
    );
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=&quot;a()&quot;&gt;');
    expect(html).toContain('Line one<br>\n&lt;b&gt;two&lt;/b&gt;');
    expect(text).toContain('> Line one\n> <b>two</b>');
  });

  it.each(['Win a prize at evil.example', 'http://evil.example', 'Call 0900-123456', 'A'.repeat(61), 'a@b.c', ''])(
    'does not greet by %s',
    (firstName) => {
      const { text } = renderMail(
        { template: 'welcome', data: { firstName } },
        { writing, because, code: null, optOut: { unsubscribeUrl: null } },
      );
      expect(text).toMatch(/^Hello,\n/);
    },
  );

  it.each(['Ada', 'Zoë', "O'Neill", 'J. R.', '明'])('greets %s', (firstName) => {
    const { text } = renderMail(
      { template: 'welcome', data: { firstName } },
      { writing, because, code: null, optOut: { unsubscribeUrl: null } },
    );
    expect(text.startsWith(`Hello ${firstName},`)).toBe(true);
  });

  it('says how such mail ends by one click, where its reader opted in', () => {
    const unsubscribeUrl = 'https://api.example/v1/notifications/unsubscribe/abc';
    const mail = { template: 'message', data: { subject: 'Sale', html: '<p>Sale</p>', text: null } } as const;
    const { text, html } = renderMail(mail, { writing, because, code: null, optOut: { unsubscribeUrl } });
    expect(text).toContain(`Get no more mails like this:\n${unsubscribeUrl}\n`);
    expect(html).toMatch(
      /<a [^>]*href="https:\/\/api\.example\/v1\/notifications\/unsubscribe\/abc"[^>]*>Get no more mails like this</,
    );
    expect(text).toContain('/notifications/preferences');
  });

  it('has no link in security mail to switch it off', () => {
    const mail = {
      template: 'password-changed',
      data: { firstName: 'Ada', how: 'change', factorsDropped: false },
    } as const;
    expect(renderMail(mail, { writing, because, code: null, optOut: null }).text).not.toContain('preferences');
  });
});

describe('a mail that staff wrote', () => {
  const render = (html: string, text: string | null = null) =>
    renderMail(
      { template: 'message', data: { subject: 'Hi\r\nBcc: a@b.c', html, text } },
      { writing, because, code: null, optOut: { unsubscribeUrl: null } },
    );

  it('loses scripts, frames and forms', () => {
    const { html } = render(
      '<p onclick="a()">Sale</p><script>a()</script><iframe src="x"></iframe><a href="javascript:a()">x</a><form><input></form>',
    );
    expect(html).toContain('<p>Sale</p>');
    expect(html).not.toMatch(/<script|<iframe|onclick|<form|<input/);
  });

  it('keeps its styles and links', () => {
    const written = '<p style="color:red">See <a href="https://shop.example/sale">the sale</a></p>';
    const { html, text } = render(written);
    expect(html).toContain('<a href="https://shop.example/sale">the sale</a>');
    expect(html).toContain('style="color:red"');
    expect(text).toContain('See the sale (https://shop.example/sale)');
  });

  it('has a text part with lines and without HTML entities', () => {
    const { text } = render('<h1>Tea</h1><p>5 &lt; 6 &amp; 7</p><p>Bye<br>now</p>');
    expect(text).toMatch(/^Tea\n5 < 6 & 7\nBye\nnow\n/);
  });

  it('takes the text that was written for it', () => {
    expect(render('<p>x</p>', 'My own words').text).toMatch(/^My own words\n/);
  });

  it('has a subject of one line', () => {
    expect(render('<p>x</p>').subject).toBe('Hi Bcc: a@b.c');
  });

  it('leaves out a whole style where any part of it could load or run something', () => {
    const { html } = render(
      '<p style="color:red;background:url(x)">a</p><p style="COLOR:red; width: EXPRESSION(a())">b</p><p style="}p{color:red">c</p>',
    );
    expect(html).toContain('<p>a</p><p>b</p>');
    expect(html).not.toMatch(/url\(|expression/i);
  });

  // Work without a bound would show as output without one: what is written is at most so many times what was sent.
  it.each([
    '<b>',
    '<div>',
    '<a><b><p>',
    '<b><p>',
    '</i></p>',
    '<svg>',
    '<!--',
    '<',
    '&',
    '<p style="a:b">',
    '<img src=x>',
  ])('is not blown up by as many %s as there may be', (sign) => {
    const signs = sign.repeat(6000 / sign.replaceAll(/[^<>&]/g, '').length);
    const { html, text } = render(signs + 'x '.repeat((100_000 - signs.length) / 2));
    expect(html.length + text.length).toBeLessThan(400_000);
  });
});
