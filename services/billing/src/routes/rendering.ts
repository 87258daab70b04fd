import { commonErrors } from '@storefront/contracts';
import type { FastifyReply } from 'fastify';
import pLimit from 'p-limit';

/** A document as the file that it is saved as. */
export interface DocumentFile {
  readonly name: string;
  readonly mediaType: string;
  /** Whether a browser may show it, or saves it. */
  readonly disposition: 'inline' | 'attachment';
}

/** Answers with a document that `make` makes. */
export type SendDocument = (
  reply: FastifyReply,
  file: DocumentFile,
  make: () => Buffer | string | Promise<Buffer>,
) => Promise<FastifyReply>;

const concurrency = 2;
const longestQueue = 32;

/** Makes two documents at a time, as that takes the processor; throws `overloaded` where 32 others are waiting. */
export function createRendering(): SendDocument {
  const limit = pLimit(concurrency);
  return async (reply, { name, mediaType, disposition }, make) => {
    if (limit.pendingCount >= longestQueue) throw commonErrors.overloaded().with({ retryAfterSeconds: 2 });
    const document = await limit(make);
    return reply
      .header('content-disposition', `${disposition}; filename="${name}"`)
      .header('cache-control', 'private, no-cache')
      .type(mediaType)
      .send(document);
  };
}
