import { commonErrors } from '@storefront/contracts';
import type { FastifyReply } from 'fastify';
import pLimit from 'p-limit';

/** The file of a document. */
export interface DocumentFile {
  readonly name: string;
  readonly mediaType: string;
  /** `inline`: a browser may show the file. `attachment`: it saves the file. */
  readonly disposition: 'inline' | 'attachment';
}

/** Makes the document by calling `make`, and sends it as the answer. */
export type SendDocument = (
  reply: FastifyReply,
  file: DocumentFile,
  make: () => Buffer | string | Promise<Buffer>,
) => Promise<FastifyReply>;

const concurrency = 2;
const longestQueue = 32;

/**
 * Makes at most two documents at a time, because this needs much processor time. Throws `overloaded` if 32 others are
 * already waiting.
 */
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
