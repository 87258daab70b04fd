/** Somebody at the shop without a browser: follows links and sends forms as HTML says, and keeps cookies. */
export interface Shopper {
  /** Opens a page of the shop, following its redirects. */
  open(path: string): Promise<Page>;
  /** Presses the button of the page that was opened last, in whose form these fields are filled in. */
  press(button: string, fields?: Readonly<Record<string, string>>): Promise<Page>;
  /** The same on a page that was opened before, as in another tab. */
  pressOn(opened: Page, button: string, fields?: Readonly<Record<string, string>>): Promise<Page>;
  /** A request as it is, without redirects. */
  request(path: string, init?: RequestInit): Promise<Response>;
}

export interface Page {
  readonly status: number;
  /** The address that the redirects have led to. */
  readonly url: string;
  readonly html: string;
  /** What people read of it, in one line. */
  readonly text: string;
  /** Where the link with this text leads. */
  link(text: string): string;
}

export function shopperAt(shop: string): Shopper {
  const cookies = new Map<string, string>();
  let page: Page | undefined;

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { cookie, origin: shop, 'accept-language': 'en', ...(init.headers as Record<string, string>) };
    const response = await fetch(new URL(path, shop), { ...init, headers, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/max-age=0/i.test(set)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  async function follow(path: string, init?: RequestInit): Promise<Page> {
    const response = await request(path, init);
    const location = response.headers.get('location');
    // By 307 the same is sent once more, by any other status the page is only opened.
    if (location !== null)
      return follow(new URL(location, new URL(path, shop)).href, response.status === 307 ? init : undefined);
    page = pageOf(response.status, new URL(path, shop).href, await response.text());
    return page;
  }

  function pressOn(opened: Page, button: string, fields: Readonly<Record<string, string>> = {}): Promise<Page> {
    const { method, action, body } = formOf(opened, button, fields);
    if (method === 'get') return follow(`${action}?${body.toString()}`);
    return follow(action, { method: 'POST', body, headers: { referer: opened.url } });
  }

  return {
    request,
    open: (path) => follow(path),
    press(button, fields) {
      if (page === undefined) throw new Error('Open a page first.');
      return pressOn(page, button, fields);
    },
    pressOn,
  };
}

function pageOf(status: number, url: string, html: string): Page {
  const text = plain(html.replace(/^.*<main/s, '<main').replace(/<\/main>.*$/s, ''));
  return {
    status,
    url,
    html,
    text,
    link(wanted) {
      const links = [...html.matchAll(/<a\b([^>]*)>(.*?)<\/a\s*>/gs)];
      const found = links.find(([, , label = '']) => plain(label).includes(wanted));
      if (!found) throw new Error(`There is no link “${wanted}” in: ${text}`);
      return attribute(found[1] ?? '', 'href') ?? '';
    },
  };
}

/** What a browser would send for this button. */
function formOf({ html, url, text }: Page, button: string, fields: Readonly<Record<string, string>>) {
  for (const [, head = '', content = ''] of html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)) {
    const buttons = [...content.matchAll(/<button\b([^>]*)>(.*?)<\/button>/gs)];
    const pressed = buttons.find(([, tag = '', label = '']) =>
      (attribute(tag, 'aria-label') ?? plain(label)).startsWith(button),
    )?.[1];
    if (pressed === undefined) continue;
    const sent = new Map<string, string>();
    for (const [tag] of content.matchAll(/<input\b[^>]*>/gs)) {
      const isChoice = /type="(radio|checkbox)"/.test(tag);
      if (!isChoice || /\schecked\b/.test(tag)) sent.set(attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? 'on');
    }
    for (const [, tag = '', value = ''] of content.matchAll(/<textarea\b([^>]*)>(.*?)<\/textarea\s*>/gs))
      sent.set(attribute(tag, 'name') ?? '', value);
    for (const [, tag = '', options = ''] of content.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)) {
      const all = [...options.matchAll(/<option\b([^>]*)>/gs)].map(([, option = '']) => option);
      const chosen = all.find((option) => /\sselected\b/.test(option)) ?? all[0] ?? '';
      sent.set(attribute(tag, 'name') ?? '', attribute(chosen, 'value') ?? '');
    }
    for (const [name, value] of Object.entries(fields)) sent.set(name, value);
    const name = attribute(pressed, 'name');
    if (name !== undefined) sent.set(name, attribute(pressed, 'value') ?? '');
    const action = attribute(pressed, 'formaction') ?? attribute(head, 'action') ?? url.replace(/\?.*/, '');
    return { method: attribute(head, 'method') ?? 'get', action, body: new URLSearchParams([...sent]) };
  }
  throw new Error(`There is no button “${button}” in: ${text}`);
}

const attribute = (tag: string, name: string) => {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescaped(value);
};

const plain = (html: string) =>
  unescaped(html.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();

const unescaped = (text: string) =>
  text.replaceAll(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? '',
  );
