import { escapeHtml } from './layout.ts';
import type { OptInCategory } from './preferences.ts';

const about: Readonly<Record<OptInCategory, string>> = {
  offers: 'offers',
  marketing: 'news and promotions',
};

/** Asks whether mails of a category are to end, with a button that sends a POST to the same address. */
export function unsubscribePage(shopName: string, category: OptInCategory): string {
  return page(
    shopName,
    `<p>Do you want no more mails about ${about[category]} from ${escapeHtml(shopName)}?</p>
<form method="post"><button name="List-Unsubscribe" value="One-Click">Get no more such mails</button></form>`,
  );
}

/** Says that it is done, the second time too. */
export function unsubscribedPage(shopName: string): string {
  return page(
    shopName,
    '<p>It is done: you get no more such mails.</p>\n<p>You can switch them on again in your account.</p>',
  );
}

function page(shopName: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>Mails from ${escapeHtml(shopName)}</title></head>
<body>
${body}
</body>
</html>
`;
}
