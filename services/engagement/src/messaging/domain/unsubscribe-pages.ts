import { escapeHtml } from './layout.ts';
import type { OptInCategory } from './preferences.ts';

const about: Readonly<Record<OptInCategory, string>> = {
  offers: 'offers',
  marketing: 'news and promotions',
};

/** The page that asks whether to stop mails of a category. Its button sends a POST to the same address. */
export function unsubscribePage(shopName: string, category: OptInCategory): string {
  return page(
    shopName,
    `<p>Do you want no more mails about ${about[category]} from ${escapeHtml(shopName)}?</p>
<form method="post"><button name="List-Unsubscribe" value="One-Click">Get no more such mails</button></form>`,
  );
}

/** The page that says that such mails are switched off. A second call shows the same page. */
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
