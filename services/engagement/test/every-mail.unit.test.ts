import { locale, type Locale } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { languages } from '../src/messaging/domain/languages/languages.ts';
import { becauseOf, renderMail, type RenderableMail } from '../src/messaging/domain/render-mail.ts';
import { writingFor } from '../src/messaging/domain/templates/compose.ts';
import { everyMail, teaShop } from './every-mail.ts';

const code = {
  code: '493027',
  link: 'q8N5cWb0vYz3kL7mT1xR4gq8N5cWb0vYz3kL7mT1xR4',
  expiresAt: new Date('2026-11-21T09:40:00Z'),
};

const render = (mail: RenderableMail, locale: Locale, shop = teaShop) =>
  renderMail(mail, {
    writing: writingFor(shop, { locale, timeZone: 'Europe/Berlin' }),
    code,
    because: becauseOf(mail.template, 'account', true),
    optOut: { unsubscribeUrl: 'https://api.example/v1/notifications/unsubscribe/abc' },
  });

const kinds = everyMail().map((mail) => [`${mail.template} ${JSON.stringify(mail.data).slice(0, 60)}`, mail] as const);

describe.each(locale.options)('in %s', (language) => {
  it.each(kinds)('is in the form of all mails: %s', (_kind, mail) => {
    const { subject, text, html } = render(mail, language);
    expect(subject).toMatch(/^\S.*\S$|^7$/);
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain('name="color-scheme" content="light dark"');
    expect(html).toContain('Tea &amp; Tools');
    // One thing to do at most, which the text part has too.
    const buttons = [...html.matchAll(/class="button" href="([^"]+)"/g)].map(([, url]) => url ?? '');
    expect(buttons.length).toBeLessThanOrEqual(1);
    for (const url of buttons) expect(text.split('\n')).toContain(url);
    // Why the reader gets it, and how such mail ends.
    const because = languages[language].footer.because(becauseOf(mail.template, 'account', true), 'Tea & Tools');
    expect(text).toContain(because);
    expect(text).toContain('https://api.example/v1/notifications/unsubscribe/abc');
    // Nothing is loaded, and nothing is left of a value that was not there.
    expect(html).not.toMatch(/<img|<link|@import|url\(|<script/);
    expect(text).not.toMatch(/undefined|null|NaN|\[object|<(p|br|div|a|h\d)\b/);
    // Six digits are the code, or the number of an invoice or a credit note.
    for (const digits of html.match(/\b\d{6}\b/g) ?? []) expect(['493027', '000123', '000001']).toContain(digits);
  });

  it.each(kinds)('has all sentences of the HTML in the text part: %s', (_kind, mail) => {
    const { text, html } = render(mail, language);
    const paragraphs = [...html.matchAll(/<p class="text"[^>]*>([^<]+)<\/p>/g)].map(([, inner = '']) =>
      unescape(inner),
    );
    expect(paragraphs.length).toBeGreaterThan(0);
    for (const paragraph of paragraphs) expect(text).toContain(paragraph);
  });

  it('escapes what people enter', () => {
    for (const mail of everyMail((plain) => `<i>"${plain}"&amp;`)) {
      const { html, subject } = render(mail, language, { ...teaShop, name: '<i>Shop' });
      expect(html, mail.template).not.toContain('<i>');
      expect(html, mail.template).not.toContain(`"&amp;"`);
      expect(subject, mail.template).not.toMatch(/&lt;/);
    }
  });
});

it.each(kinds)('has no sentence of another language: %s', (_kind, mail) => {
  const [english = [], german = []] = locale.options.map((language) => sentencesOf(render(mail, language).text));
  expect(german.filter((line) => english.includes(line))).toEqual([]);
});

it('shows the logo, and nothing else from elsewhere, where the shop has one', () => {
  const [mail] = everyMail();
  const { html } = render(mail as RenderableMail, 'en', { ...teaShop, logoUrl: 'https://cdn.example/logo.png' });
  expect(html).toContain('<img class="logo" src="https://cdn.example/logo.png" alt="Tea &amp; Tools"');
  expect(html.match(/<img/g)).toHaveLength(1);
});

/** The lines that have words of the language: not those that have only data, addresses or the name of the shop. */
function sentencesOf(text: string): string[] {
  const isData = /^(https:\/\/.*|> .*|-- |Tea & Tools|[\d\w]{43}|\d{6}|IBAN: .*|BIC: .*|\d?)$/;
  return text.split('\n').filter((line) => !isData.test(line));
}

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
