import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { hashOf } from './pages.ts';

const inlineScript = /<script\b(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g;
const urls = ['/docs', '/docs/', '/docs/js/scalar.js'];

/**
 * Serves a page at `/docs` on which readers can see and try the API. The page loads nothing from other hosts, and its
 * content security policy forbids other hosts. The page's code takes 17 MB of memory, so it is loaded by the first
 * request.
 */
export function serveDocs(app: FastifyInstance): void {
  let pages: FastifyInstance | undefined;
  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    pages ??= await makePages();
    const { statusCode, headers, payload } = await pages.inject(request.url);
    const isPage = String(headers['content-type']).startsWith('text/html');
    void reply.header('cache-control', isPage ? 'no-cache' : 'public, max-age=3600');
    if (isPage) void reply.header('content-security-policy', policyFor(payload));
    for (const name of ['content-type', 'location']) if (headers[name]) void reply.header(name, headers[name]);
    return reply.code(statusCode).send(payload);
  }
  for (const url of urls) app.get(url, answer);
}

/** Creates an app that never listens; `inject` reads the pages from it. */
async function makePages(): Promise<FastifyInstance> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  const pages = fastify();
  await pages.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Storefront Commerce API',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      mcp: { disabled: true },
      agent: { disabled: true },
      showDeveloperTools: 'never',
    },
  });
  return pages;
}

// The page has inline scripts. The policy allows exactly these scripts, by their hashes.
function policyFor(page: string): string {
  const hashes = [...page.matchAll(inlineScript)].map(([, script]) => hashOf(script ?? ''));
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(';');
}
