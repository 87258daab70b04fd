import { cssOf, readableOn } from './colour.ts';
import { escapeHtml } from './layout.ts';
import type { OptInCategory } from './preferences.ts';
import type { Writing } from './templates/compose.ts';

/** The page that asks whether to stop mails of a category. Its button sends a POST to the same address. */
export function unsubscribePage(writing: Writing, category: OptInCategory): string {
  const { language, shop } = writing;
  const { question, button } = language.unsubscribing;
  return page(
    writing,
    `<p>${escapeHtml(question(category, shop.name))}</p>
<form method="post"><button name="List-Unsubscribe" value="One-Click">${escapeHtml(button)}</button></form>`,
  );
}

/** The page that says that such mails are switched off. A second call shows the same page. */
export function unsubscribedPage(writing: Writing): string {
  const { done } = writing.language.unsubscribing;
  return page(writing, done.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n'));
}

/** The style sheet of the pages. */
export function styleOf({ shop }: Writing): string {
  return `:root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem}
button{font:inherit;font-weight:600;padding:.7rem 1.4rem;border:1px solid;border-radius:8px;background:${cssOf(shop.colour)};color:${cssOf(readableOn(shop.colour))}}`;
}

function page(writing: Writing, body: string): string {
  const { language, shop } = writing;
  return `<!doctype html>
<html lang="${language.locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escapeHtml(language.unsubscribing.title(shop.name))}</title><style>${styleOf(writing)}</style></head>
<body>
<p><strong>${escapeHtml(shop.name)}</strong></p>
${body}
</body>
</html>
`;
}
