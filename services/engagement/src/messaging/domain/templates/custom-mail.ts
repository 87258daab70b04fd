import sanitizeHtml from 'sanitize-html';
import type { MailContent } from '../layout.ts';

/** A mail that staff wrote. */
export interface CustomMail {
  readonly subject: string;
  /** Null where the administrator wrote only text. Then the HTML is made from the text. */
  readonly html: string | null;
  /** The plain text; null where the administrator wrote none. Then it is made from the HTML. */
  readonly text: string | null;
}

// Matches a style that loads or runs something, or that may hide this with escapes or comments.
const unsafeStyle = /url\s*\(|expression\s*\(|behavior|-moz-binding|[\\@]|\/\*/i;

// The HTML that all mail programs show: no scripts, forms, frames or style sheets.
const allowed: sanitizeHtml.IOptions = {
  allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img', 'center', 'font'],
  allowedAttributes: {
    '*': ['style', 'align', 'width', 'height', 'title', 'dir', 'lang'],
    a: ['href', 'name', 'target', 'rel'],
    img: ['src', 'alt'],
    table: ['border', 'cellpadding', 'cellspacing'],
    td: ['colspan', 'rowspan', 'valign', 'bgcolor'],
    th: ['colspan', 'rowspan', 'valign', 'bgcolor'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  // `transformTags` keeps or drops each style as a whole. To parse the styles would take longer than all other steps
  // together.
  parseStyleAttributes: false,
  transformTags: {
    '*': (tagName, { style = '', ...attribs }) => ({
      tagName,
      attribs: style === '' || unsafeStyle.test(style) ? attribs : { ...attribs, style },
    }),
  },
};

export function customMail({ subject, html: written, text }: CustomMail): MailContent {
  if (written === null) return plainMail(subject, text ?? '');
  const html = sanitizeHtml(written, allowed);
  const plain = text ?? textOf(html);
  return { subject, headline: null, preview: previewOf(plain), blocks: [{ kind: 'html', html, text: plain }] };
}

/** A mail of plain text with a headline. */
export function plainMail(subject: string, text: string): MailContent {
  return { subject, headline: subject, preview: previewOf(text), blocks: [{ kind: 'paragraph', text }] };
}

const previewOf = (text: string) => text.slice(0, 120).replaceAll(/\s+/g, ' ').trim();

const breaks = /<(?:br|\/p|\/div|\/tr|\/li|\/h[1-6]|\/blockquote)\b[^>]*>/gi;
const links = /<a\b[^>]*?href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/gi;

/** Returns the plain text of sanitized HTML, with a line for each block and the addresses of links in brackets. */
function textOf(html: string): string {
  const marked = html
    .replaceAll(/\s+/g, ' ')
    .replaceAll(links, (_all, url: string, label: string) => (label.includes(url) ? label : `${label} (${url})`))
    .replaceAll(breaks, '\n');
  return unescape(sanitizeHtml(marked, { allowedTags: [], allowedAttributes: {} }))
    .replaceAll(/[ \t]*\n[ \t]*/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

// sanitize-html escapes only these characters in text.
function unescape(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
