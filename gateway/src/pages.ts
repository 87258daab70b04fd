import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const style =
  ':root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}' +
  'code{overflow-wrap:anywhere;user-select:all}';
/** The source by which a content security policy allows an inline script or style. */
export const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Answers a small page of the gateway. It loads nothing but its icon and runs nothing but `script`. `body` is HTML.
 */
export function sendPage(
  reply: FastifyReply,
  { title, body, script }: { title: string; body: string; script?: string },
): FastifyReply {
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    "img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  ].join('; ');
  return reply
    .header('content-security-policy', policy)
    .type('text/html; charset=utf-8')
    .send(
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
        `<title>${escaped(title)}</title><link rel="icon" href="/favicon.ico"><style>${style}</style></head>` +
        `<body><h1>${escaped(title)}</h1>${body}${script === undefined ? '' : `<script>${script}</script>`}</body></html>`,
    );
}

export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
