import { createHash } from 'node:crypto';
import { api, gatewayOperations } from '@storefront/contracts';
import type { FastifyInstance } from 'fastify';

const style =
  'body{font:1rem/1.6 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}';
const styleHash = createHash('sha256').update(style).digest('base64');
const pagePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'`;

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
    openapi: '/openapi.json',
    health: gatewayOperations.getHealth.path,
    ...(mailbox !== undefined && { mailbox }),
  };
  const page = pageOf(version, links);
  app.get('/', (request, reply) => {
    void reply.header('vary', 'Accept');
    if (!request.headers.accept?.includes('text/html')) return { name: api.title, version, ...links };
    return reply.header('content-security-policy', pagePolicy).type('text/html; charset=utf-8').send(page);
  });
  app.get('/favicon.ico', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=86400').type('image/svg+xml').send(icon),
  );
}

function pageOf(version: string, links: Readonly<Record<string, string>>): string {
  const words: Record<string, string> = {
    docs: 'Read and try every request',
    openapi: 'The OpenAPI document',
    health: 'Whether the API answers',
    mailbox: 'The mails of this development system',
  };
  const items = Object.entries(links).map(([name, href]) => `<li><a href="${escaped(href)}">${words[name]}</a></li>`);
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${api.title}</title><link rel="icon" href="/favicon.ico"><style>${style}</style></head>` +
    `<body><h1>${api.title}</h1><p>Version ${version}.</p><ul>${items.join('')}</ul></body></html>`
  );
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
