/** The shop in whose name mail is sent. */
export interface Shop {
  readonly name: string;
  /** The address of the shop's pages, without a slash at the end. */
  readonly url: string;
}

/** A piece of a mail. The plain text and the HTML of the mail are made from the same pieces. */
export type MailBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** A one-time code on its own line, so that people and programs find it. */
  | { readonly kind: 'code'; readonly code: string }
  /** Text that another person wrote, such as a reason. */
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  /** HTML that is already sanitized. */
  | { readonly kind: 'html'; readonly html: string; readonly text: string };

export interface MailContent {
  readonly subject: string;
  readonly blocks: readonly MailBlock[];
}

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Returns the page on which users choose which mails they get. */
export function preferencesUrl(shop: Shop): string {
  return `${shop.url}/notifications/preferences`;
}

/** How the reader of a mail can switch such mail off. */
export interface OptOut {
  /** The page where one click stops such mail, without a login; null where the user is not known. */
  readonly unsubscribeUrl: string | null;
}

/**
 * Lays out every mail in the same way. A mail that the reader can switch off says how. For other mails `optOut` is
 * null.
 */
export function layOut(content: MailContent, shop: Shop, optOut: OptOut | null): RenderedMail {
  const blocks = optOut === null ? content.blocks : [...content.blocks, ...optOutLinks(shop, optOut)];
  // Mail programs decode "encoded words" (RFC 2047) in a subject, and these can contain line ends. So `=?`, the start
  // of an encoded word, is broken up.
  const subject = content.subject.replaceAll('=?', '= ?').replaceAll(/\s+/g, ' ').trim();
  return {
    subject,
    text: `${blocks.map(asText).join('\n\n')}\n\n-- \n${shop.name}\n${shop.url}\n`,
    html: page(subject, blocks.map(asHtml).join('\n'), shop),
  };
}

function optOutLinks(shop: Shop, { unsubscribeUrl }: OptOut): MailBlock[] {
  const choose: MailBlock = { kind: 'link', label: 'Choose which mails you get', url: preferencesUrl(shop) };
  return unsubscribeUrl === null
    ? [choose]
    : [{ kind: 'link', label: 'Get no more mails like this', url: unsubscribeUrl }, choose];
}

function asText(block: MailBlock): string {
  switch (block.kind) {
    case 'paragraph':
    case 'html':
      return block.text;
    case 'code':
      return block.code;
    case 'quote':
      return block.text.replaceAll(/^/gm, '> ');
    case 'link':
      return `${block.label}:\n${block.url}`;
  }
}

// Each colour contains a letter. So six digits in a mail are always the code, for people and programs that search for
// it.
function asHtml(block: MailBlock): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p>${lines(block.text)}</p>`;
    case 'code':
      return `<p style="font:700 28px monospace;letter-spacing:4px">${escapeHtml(block.code)}</p>`;
    case 'quote':
      return `<blockquote style="margin:0;padding-left:12px;border-left:3px solid #ccd">${lines(block.text)}</blockquote>`;
    case 'link':
      return `<p><a href="${escapeHtml(block.url)}">${escapeHtml(block.label)}</a></p>`;
    case 'html':
      return block.html;
  }
}

function page(title: string, body: string, shop: Shop): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px;background:#f4f4f5;font:16px/1.5 sans-serif;color:#1f2937">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#fff;border-radius:8px">
${body}
</div>
<p style="text-align:center;font-size:13px"><a href="${escapeHtml(shop.url)}">${escapeHtml(shop.name)}</a></p>
</body>
</html>
`;
}

function lines(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>\n');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
