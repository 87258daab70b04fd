import type { Locale } from '@storefront/contracts';
import { cssOf, distinctFrom, parseColour, readableOn, type Colour } from './colour.ts';
import type { Because, Language } from './languages/language.ts';

/** The shop in whose name mail is sent. */
export interface Shop {
  readonly name: string;
  /** The address of the shop's pages, without a slash at the end. */
  readonly url: string;
  /** The address of a picture, which is the only thing that a mail loads; null for the name alone. */
  readonly logoUrl: string | null;
  readonly colour: Colour;
  /** For people who have not chosen a language. */
  readonly locale: Locale;
  /** For people who have not chosen a time zone. */
  readonly timeZone: string;
}

/** A piece of a mail. The plain text and the HTML of the mail are made from the same pieces. */
export type MailBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** A one-time code on its own line, so that people and programs find it. */
  | { readonly kind: 'code'; readonly code: string }
  /** Text that another person wrote, such as a reason. */
  | { readonly kind: 'quote'; readonly label: string; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  /** Names with their values, such as of an invoice. The value that counts most is `strong`. */
  | { readonly kind: 'figures'; readonly rows: readonly Figure[] }
  /** The lines of an order. */
  | { readonly kind: 'items'; readonly items: readonly Item[] }
  /** The thing to do: a mail has one at most. */
  | { readonly kind: 'button'; readonly label: string; readonly url: string }
  /** Another address than that of the thing to do. */
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  /** HTML that is already sanitized. */
  | { readonly kind: 'html'; readonly html: string; readonly text: string };

type Figure = readonly [name: string, value: string, strong?: 'strong'];

interface Item {
  readonly name: string;
  /** For example how many, and what each costs. */
  readonly detail: string;
  readonly amount: string;
}

export interface MailContent {
  readonly subject: string;
  /** Stands above the text; null where the mail needs none. */
  readonly headline: string | null;
  /** What the mailbox shows beside the subject. */
  readonly preview: string;
  readonly blocks: readonly MailBlock[];
}

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Returns the page on which users choose which mails they get. */
export function preferencesUrl(shop: Pick<Shop, 'url'>): string {
  return `${shop.url}/notifications/preferences`;
}

/** How the reader of a mail can switch such mail off. */
export interface OptOut {
  /** The page where one click stops such mail, without a login; null where the user is not known. */
  readonly unsubscribeUrl: string | null;
}

interface Frame {
  readonly shop: Shop;
  readonly language: Language;
  readonly because: Because;
  /** Null for mail that the reader can't switch off. Other mail says how. */
  readonly optOut: OptOut | null;
}

/** Lays out every mail in the same way: the shop, the text, and why the reader gets it. */
export function layOut(content: MailContent, frame: Frame): RenderedMail {
  const { shop, language } = frame;
  // Mail programs decode "encoded words" (RFC 2047) in a subject, and these can contain line ends. So `=?`, the start
  // of an encoded word, is broken up.
  const subject = content.subject.replaceAll('=?', '= ?').replaceAll(/\s+/g, ' ').trim();
  const reason = language.footer.because(frame.because, shop.name);
  const links = optOutLinks(frame);
  const footer = [reason, ...links.map(({ label, url }) => `${label}:\n${url}`)].join('\n\n');
  return {
    subject,
    text: `${content.blocks.map(asText).join('\n\n')}\n\n-- \n${shop.name}\n${shop.url}\n\n${footer}\n`,
    html: page({ ...content, subject }, { shop, language, reason, links }),
  };
}

interface Link {
  readonly label: string;
  readonly url: string;
}

function optOutLinks({ shop, language: { footer }, optOut }: Frame): Link[] {
  if (optOut === null) return [];
  const choose = { label: footer.choose, url: preferencesUrl(shop) };
  const { unsubscribeUrl } = optOut;
  return unsubscribeUrl === null ? [choose] : [{ label: footer.unsubscribe, url: unsubscribeUrl }, choose];
}

function asText(block: MailBlock): string {
  switch (block.kind) {
    case 'paragraph':
    case 'html':
      return block.text;
    case 'code':
      return block.code;
    case 'quote':
      return `${block.label}\n\n${block.text.replaceAll(/^/gm, '> ')}`;
    case 'list':
      return block.items.map((item) => `- ${item}`).join('\n');
    case 'figures':
      return block.rows.map(([name, value]) => `${name}: ${value}`).join('\n');
    case 'items':
      return block.items.map(({ name, detail, amount }) => `- ${name} · ${detail}: ${amount}`).join('\n');
    case 'button':
    case 'link':
      return `${block.label}:\n${block.url}`;
  }
}

// Mail programs read only styles at the elements themselves. The style sheet in the head is for those that can more: it
// has the colours for dark screens. Each colour contains a letter, or is not hexadecimal. So six digits in a mail are
// always the code, for people and programs that search for it.
const light = { page: '#f3f4f6', card: '#ffffff', text: '#1c2024', soft: '#5b6470', line: '#e1e4e8', box: '#f3f4f6' };
const dark = { page: '#0f1419', card: '#1b2127', text: '#e6e9ed', soft: '#a3adb8', line: '#38414a', box: '#262d35' };

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const paragraphStyle = `margin:0 0 16px;font-size:16px;line-height:1.5;color:${light.text}`;

function asHtml(block: MailBlock, colours: ShopColours): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p class="text" style="${paragraphStyle}">${lines(block.text)}</p>`;
    case 'code':
      return `<p class="box text" style="margin:0 0 16px;padding:16px 8px;border-radius:8px;background:${light.box};color:${light.text};text-align:center;${codeStyle(block.code)}">${escapeHtml(block.code)}</p>`;
    case 'quote':
      return `<p class="soft" style="margin:0 0 4px;font-size:14px;line-height:1.5;color:${light.soft}">${escapeHtml(block.label)}</p>
<blockquote class="text" style="margin:0 0 16px;padding:4px 0 4px 14px;border-left:4px solid ${colours.own};font-size:16px;line-height:1.5;color:${light.text}">${lines(block.text)}</blockquote>`;
    case 'list':
      return `<ul class="text" style="${paragraphStyle};padding-left:22px">${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;
    case 'figures':
      return rowsOf(block.rows.map(figure));
    case 'items':
      return rowsOf(block.items.map(item));
    case 'button':
      return `<p style="margin:8px 0 20px"><a class="button" href="${escapeHtml(block.url)}" style="display:inline-block;padding:12px 25px;border:1px solid ${colours.edge};border-radius:8px;background:${colours.own};color:${colours.onOwn};font-size:16px;line-height:1.3;font-weight:600;text-align:center;text-decoration:none">${escapeHtml(block.label)}</a></p>`;
    case 'link':
      return `<p class="text" style="${paragraphStyle}"><a href="${escapeHtml(block.url)}" class="text" style="color:${light.text}">${escapeHtml(block.label)}</a></p>`;
    case 'html':
      return block.html;
  }
}

function codeStyle(code: string): string {
  const isShort = code.length <= 8;
  return `font-family:ui-monospace,Menlo,Consolas,monospace;${isShort ? 'font-size:32px;line-height:1.2;letter-spacing:6px;font-weight:700' : 'font-size:16px;line-height:1.4;word-break:break-all'}`;
}

function rowsOf(rows: readonly string[]): string {
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;border-collapse:collapse">${rows.join('')}</table>`;
}

const cellStyle = `padding:8px 0;border-bottom:1px solid ${light.line};font-size:15px;line-height:1.4;vertical-align:top`;

function figure([name, value, strong]: Figure): string {
  const cell = strong ? `${cellStyle};font-weight:700` : cellStyle;
  return `<tr><td class="${strong ? 'text' : 'soft'} line" style="${cell};padding-right:16px;white-space:nowrap;color:${strong ? light.text : light.soft}">${escapeHtml(name)}</td><td class="text line" style="${cell};text-align:right;color:${light.text}">${escapeHtml(value)}</td></tr>`;
}

function item({ name, detail, amount }: Item): string {
  return `<tr><td class="text line" style="${cellStyle};padding-right:16px;color:${light.text}">${escapeHtml(name)}<br><span class="soft" style="font-size:13px;color:${light.soft}">${escapeHtml(detail)}</span></td><td class="text line" style="${cellStyle};text-align:right;white-space:nowrap;color:${light.text}">${escapeHtml(amount)}</td></tr>`;
}

/** The shop's colour, and what goes with it on light and on dark screens. */
interface ShopColours {
  readonly own: string;
  /** The colour of text on it. */
  readonly onOwn: string;
  /** The edge of a button, which is seen where the shop's colour is nearly that of the card. */
  readonly edge: string;
  readonly darkEdge: string;
  /** The colour of the shop's name, which is text. */
  readonly name: string;
  readonly darkName: string;
}

const [needsForm, needsText] = [3, 4.5];

function coloursOf({ colour }: Shop): ShopColours {
  const on = (background: string, atLeast: number) => cssOf(distinctFrom(parseColour(background), colour, atLeast));
  return {
    own: cssOf(colour),
    onOwn: cssOf(readableOn(colour)),
    edge: on(light.card, needsForm),
    darkEdge: on(dark.card, needsForm),
    name: on(light.page, needsText),
    darkName: on(dark.page, needsText),
  };
}

function styleSheet(colours: ShopColours): string {
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.pad{padding:24px 20px 12px!important}.button{display:block!important}h1{font-size:21px!important}}
@media (prefers-color-scheme:dark){
.page{background:${dark.page}!important}.card{background:${dark.card}!important}.box{background:${dark.box}!important}
.text{color:${dark.text}!important}.soft{color:${dark.soft}!important}.line{border-color:${dark.line}!important}
.name{color:${colours.darkName}!important}.logo{background:#fff!important}.bar,.button,blockquote{border-color:${colours.darkEdge}!important}
}`;
}

// Keeps the mailbox from showing the text of the mail after the preview.
const afterPreview = '&#847;&zwnj;&nbsp;'.repeat(30);

function page(
  { subject, headline, preview, blocks }: MailContent,
  { shop, language, reason, links }: { shop: Shop; language: Language; reason: string; links: readonly Link[] },
): string {
  const colours = coloursOf(shop);
  const name = escapeHtml(shop.name);
  // HTML of an administrator has colours of its own, which were chosen for a light screen.
  const isWritten = blocks.some(({ kind }) => kind === 'html');
  const card = isWritten ? '' : 'card ';
  const heading =
    headline === null
      ? ''
      : `<h1 class="text" style="margin:0 0 20px;font-size:24px;line-height:1.25;font-weight:700;hyphens:auto;color:${light.text}">${escapeHtml(headline)}</h1>\n`;
  const linkStyle = `color:${light.soft};text-decoration:underline`;
  const atTheEnd = [{ label: shop.name, url: shop.url }, ...links].map(
    ({ label, url }) => `<a class="soft" href="${escapeHtml(url)}" style="${linkStyle}">${escapeHtml(label)}</a>`,
  );
  const logo =
    shop.logoUrl === null
      ? name
      : `<img class="logo" src="${escapeHtml(shop.logoUrl)}" alt="${name}" height="44" style="display:inline-block;height:44px;max-width:240px;padding:4px;border:0;border-radius:6px">`;
  return `<!doctype html>
<html lang="${language.locale}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escapeHtml(subject)}</title>
<style>${styleSheet(colours)}</style>
</head>
<body class="page" style="margin:0;padding:0;background:${light.page};${font}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preview)}${afterPreview}</div>
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${light.page}"><tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table role="presentation" width="600"><tr><td><![endif]-->
<div style="max-width:600px;margin:0 auto;text-align:left">
<p style="margin:0 0 16px;padding:0 4px;text-align:center;font-size:20px;line-height:1.3;font-weight:700"><a class="name" href="${escapeHtml(shop.url)}" style="color:${colours.name};text-decoration:none">${logo}</a></p>
<table class="${card}bar" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="border-top:4px solid ${colours.own};border-radius:8px;background:${light.card}"><tr><td class="pad" style="padding:32px 36px 18px;overflow-wrap:anywhere;word-break:break-word${isWritten ? `;color-scheme:light;color:${light.text};font-size:16px;line-height:1.5` : ''}">
${heading}${blocks.map((block) => asHtml(block, colours)).join('\n')}
</td></tr></table>
<p class="soft" style="margin:20px 4px 0;text-align:center;font-size:13px;line-height:1.6;color:${light.soft}">${escapeHtml(reason)}<br>
${atTheEnd.join(' &nbsp;·&nbsp; ')}</p>
</div>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
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
