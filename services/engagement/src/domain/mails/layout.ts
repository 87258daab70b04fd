/** The shop in whose name mail is sent. */
export interface Shop {
  readonly name: string;
  /** Without a slash at the end. */
  readonly url: string;
}

/** A piece of a mail: both parts of the mail, text and HTML, are made out of the same pieces. */
export type Block =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** A one-time code: on a line of its own, for people and programs to find. */
  | { readonly kind: 'code'; readonly code: string }
  /** The words of somebody else, such as a reason. */
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  /** Markup that is safe already. */
  | { readonly kind: 'html'; readonly html: string; readonly text: string };

export interface Content {
  readonly subject: string;
  readonly blocks: readonly Block[];
}

export interface Rendered {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Where somebody chooses what mail to get. */
export function preferencesUrl(shop: Shop): string {
  return `${shop.url}/notifications/preferences`;
}

/** The one look of all mails. `optional` mail says how to get less of it. */
export function layOut(content: Content, shop: Shop, optional: boolean): Rendered {
  const blocks: readonly Block[] = optional
    ? [...content.blocks, { kind: 'link', label: 'Choose which mails you get', url: preferencesUrl(shop) }]
    : content.blocks;
  // An encoded word that somebody wrote out would be decoded by mail programs, to line ends for example.
  const subject = content.subject.replaceAll('=?', '= ?').replaceAll(/\s+/g, ' ').trim();
  return {
    subject,
    text: `${blocks.map(asText).join('\n\n')}\n\n-- \n${shop.name}\n${shop.url}\n`,
    html: page(subject, blocks.map(asHtml).join('\n'), shop),
  };
}

function asText(block: Block): string {
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

// Colours have a letter in them: six digits in a mail are nothing but its code.
function asHtml(block: Block): string {
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
