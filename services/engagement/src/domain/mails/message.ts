import sanitizeHtml from 'sanitize-html';
import type { Content } from './layout.ts';

/** A mail that somebody wrote, not we. */
export interface WrittenMail {
  readonly subject: string;
  readonly html: string;
  /** Made out of the HTML where none was written. */
  readonly text: string | null;
}

// What mail programs show anyway; scripts, forms, frames and style sheets are not among it.
// What loads or runs something out of a style, and the ways of writing that so that it is not seen.
const reachingStyle = /url\s*\(|expression\s*\(|behavior|-moz-binding|[\\@]|\/\*/i;

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
  transformTags: {
    '*': (tagName, { style = '', ...attribs }) => ({
      tagName,
      attribs: style === '' || reachingStyle.test(style) ? attribs : { ...attribs, style },
    }),
  },
};

export function message(data: WrittenMail): Content {
  const html = sanitizeHtml(data.html, allowed);
  return { subject: data.subject, blocks: [{ kind: 'html', html, text: data.text ?? textOf(html) }] };
}

const breaks = /<(?:br|\/p|\/div|\/tr|\/li|\/h[1-6]|\/blockquote)\b[^>]*>/gi;
const links = /<a\b[^>]*?href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/gi;

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

// What sanitize-html escapes in the text it leaves, and no more.
function unescape(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
