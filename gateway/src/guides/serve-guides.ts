import type { FastifyInstance, FastifyReply } from 'fastify';
import { escaped, hashOf } from '../pages.ts';
import type { Guide } from './read-guides.ts';
import { searchGuides } from './search-guides.ts';
import { style } from './style.ts';

const longestQuery = 100;
const policy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  "img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
].join('; ');

/**
 * Serves the guides at `/docs/guides`, each at its name, with a search that works without scripts. They are read and
 * rendered by the first request.
 */
export function serveGuides(app: FastifyInstance): void {
  let reading: Promise<readonly Guide[]> | undefined;
  const guides = () => (reading ??= import('./read-guides.ts').then(({ readGuides }) => readGuides()));

  app.get<{ Querystring: { q?: unknown } }>('/docs/guides', async ({ query: { q } }, reply) => {
    const all = await guides();
    const words = typeof q === 'string' ? q.slice(0, longestQuery) : '';
    return sendGuide(reply, all, words.trim() === '' ? contentsOf(all) : hitsOf(all, words));
  });
  app.get<{ Params: { name: string } }>('/docs/guides/:name', async ({ params: { name } }, reply) => {
    const all = await guides();
    const guide = all.find((each) => each.name === name);
    if (guide) return sendGuide(reply, all, { title: guide.title, body: guide.html, name });
    return sendGuide(reply.code(404), all, { title: 'There is no such guide', body: contentsOf(all).body });
  });
}

interface Page {
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** The name of the guide that it is. */
  readonly name?: string;
  /** What was searched for. */
  readonly words?: string;
}

function contentsOf(guides: readonly Guide[]): Page {
  const items = guides.map(({ name, title, sections }) => {
    const [, ...parts] = sections.map(({ heading }) => escaped(heading));
    const preview = parts.slice(0, 4).join(' · ');
    return `<li><a href="/docs/guides/${name}">${escaped(title)}</a><p>${preview}</p></li>`;
  });
  return { title: 'Guides', body: `<h1>Guides</h1><ul class="contents">${items.join('')}</ul>` };
}

function hitsOf(guides: readonly Guide[], words: string): Page {
  const items = searchGuides(guides, words).map(({ guide, section, excerpt }) => {
    const where = `/docs/guides/${guide.name}#${section.anchor}`;
    return `<li><a href="${where}">${escaped(section.heading)}</a> <small>${escaped(guide.title)}</small><p>${escaped(excerpt)}</p></li>`;
  });
  const found = items.length > 0 ? `<ul class="contents">${items.join('')}</ul>` : '<p>Nothing was found.</p>';
  return { title: 'Search', body: `<h1>Search: ${escaped(words)}</h1>${found}`, words };
}

function sendGuide(reply: FastifyReply, guides: readonly Guide[], page: Page): FastifyReply {
  const { title, body, name, words = '' } = page;
  const links = guides.map((guide) => {
    const current = guide.name === name ? ' aria-current="page"' : '';
    return `<li><a href="/docs/guides/${guide.name}"${current}>${escaped(guide.title)}</a></li>`;
  });
  return reply
    .header('content-security-policy', policy)
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>${escaped(title)} · Storefront Commerce API</title><link rel="icon" href="/favicon.ico"><style>${style}</style></head><body>` +
        `<a class="skip" href="#text">Skip to the text</a>` +
        `<header><a href="/docs/guides">Guides</a><a href="/docs">Every request</a>` +
        `<form action="/docs/guides" role="search"><input type="search" name="q" maxlength="${longestQuery}" aria-label="Search the guides" placeholder="Search" value="${escaped(words)}"><button>Search</button></form></header>` +
        `<div class="page"><nav aria-label="Guides"><ul>${links.join('')}</ul></nav><main id="text">${body}</main></div></body></html>`,
    );
}
