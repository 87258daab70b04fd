import type { Logger } from 'pino';
import type { Ask } from './ask.ts';
import { mergeOpenApi } from './domain/merge-openapi.ts';
import type { OpenApiDocument, Part } from './domain/merge-openapi.ts';
import type { RouteTable } from './domain/route-table.ts';

const freshMs = 30_000;
// While a service has never been heard, it may be starting.
const unknownMs = 1_000;

// What the gateway answers by itself.
const own: OpenApiDocument = {
  paths: {
    '/v1/health': {
      get: {
        tags: ['health'],
        operationId: 'getHealth',
        summary: 'Whether the API is there',
        description: 'Answers as long as the gateway lives, whatever else is down. Takes no Authorization.',
        responses: {
          200: {
            description: 'It is there.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Health' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Health: {
        type: 'object',
        required: ['status', 'version', 'uptimeSeconds'],
        properties: {
          status: { const: 'ok' },
          version: { type: 'string', examples: ['0.1.0'] },
          uptimeSeconds: { type: 'integer' },
        },
      },
    },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token of a login.' },
    },
  },
  tags: [{ name: 'health' }],
};

interface Source {
  readonly ask: Ask;
  document?: OpenApiDocument;
  askedAt: number;
}

/**
 * One document for the whole API, out of those of the services: asked for when somebody wants it, at most every 30 s. A
 * service that is away keeps the part it had last.
 */
export function createOpenApi(parts: {
  /** The services, asked without patience: the document must come soon. */
  sources: readonly { name: string; ask: Ask }[];
  table: RouteTable;
  version: string;
  logger: Logger;
}): () => Promise<string> {
  const sources = new Map<string, Source>(parts.sources.map(({ name, ask }) => [name, { ask, askedAt: -Infinity }]));
  const isPublic = (path: string, service: string) => service === 'gateway' || parts.table(path)?.service === service;

  return async () => {
    const now = performance.now();
    await Promise.all([...sources].map(([name, source]) => refresh(name, source, now)));
    const known: Part[] = [...sources].flatMap(([service, { document }]) => (document ? [{ service, document }] : []));
    return JSON.stringify({
      openapi: '3.1.1',
      info: { title: 'Storefront Commerce API', version: parts.version },
      ...mergeOpenApi([{ service: 'gateway', document: own }, ...known], isPublic),
    });
  };

  async function refresh(name: string, source: Source, now: number): Promise<void> {
    if (now - source.askedAt < (source.document ? freshMs : unknownMs)) return;
    source.askedAt = now;
    try {
      const { status, body } = await source.ask('/openapi.json');
      if (status !== 200) throw new Error(`it answered ${status}`);
      source.document = body as OpenApiDocument;
    } catch (error) {
      parts.logger.warn({ err: error, service: name }, 'a service did not hand in its part of the API document');
    }
  }
}
