import { createHash } from 'node:crypto';
import apiReference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';

const inlineScript = /<script\b(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** A page at `/docs` to read the API and try it. It loads nothing from outside, and its policy would not let it. */
export async function serveDocs(app: FastifyInstance): Promise<void> {
  await app.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply, payload) => {
      if (typeof payload !== 'string') return payload;
      const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
      void reply.header('cache-control', isPage ? 'no-cache' : 'public, max-age=3600');
      if (isPage) void reply.header('content-security-policy', policyFor(payload));
      return payload;
    });
    await docs.register(apiReference, {
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
  });
}

// The page starts itself by a script in the page: named by its hash, so that no other one runs.
function policyFor(page: string): string {
  const hashes = [...page.matchAll(inlineScript)].map(
    ([, script]) =>
      `'sha256-${createHash('sha256')
        .update(script ?? '')
        .digest('base64')}'`,
  );
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
