import { api, gatewayOperations } from '@storefront/contracts';
import type { FastifyInstance } from 'fastify';
import { escaped, sendPage } from './pages.ts';

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2f6f4f" d="M2 5h12l-1 10H3z"/>' +
  '<path fill="none" stroke="#2f6f4f" stroke-width="1.5" d="M5 7V4a3 3 0 0 1 6 0v3"/></svg>';

/**
 * Says at `/` what this server is and where to go on: to browsers as a page, to all others as JSON. `mailbox` is the page
 * of the development mailbox, where there is one.
 */
export function serveGreeting(
  app: FastifyInstance,
  { version, mailbox }: { version: string; mailbox: string | undefined },
): void {
  const links = {
    docs: '/docs',
    guides: '/docs/guides',
    openapi: '/openapi.json',
    health: gatewayOperations.getHealth.path,
    ...(mailbox !== undefined && { mailbox }),
  };
  const body = bodyOf(version, links);
  app.get('/', (request, reply) => {
    void reply.header('vary', 'Accept');
    if (!request.headers.accept?.includes('text/html')) return { name: api.title, version, ...links };
    return sendPage(reply, { title: api.title, body });
  });
  app.get('/favicon.ico', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=86400').type('image/svg+xml').send(icon),
  );
}

function bodyOf(version: string, links: Readonly<Record<string, string>>): string {
  const words: Record<string, string> = {
    docs: 'Read and try every request',
    guides: 'Guides, and what to do about each error',
    openapi: 'The OpenAPI document',
    health: 'Whether the API answers',
    mailbox: 'The mails of this development system',
  };
  const items = Object.entries(links).map(([name, href]) => `<li><a href="${escaped(href)}">${words[name]}</a></li>`);
  return `<p>Version ${version}.</p><ul>${items.join('')}</ul>`;
}
