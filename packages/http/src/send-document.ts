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

/** Makes the document by calling `make`, and sends it as the answer. Throws `overloaded` if too many wait already. */
export type SendDocument = (
  reply: FastifyReply,
  file: DocumentFile,
  make: () => Buffer | string | Promise<Buffer>,
) => Promise<FastifyReply>;

const concurrency = 2;
const longestQueue = 32;

/** Sends documents that need much processor time: at most two are made at a time, and 32 others wait. */
export function createDocumentSender(): SendDocument {
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
