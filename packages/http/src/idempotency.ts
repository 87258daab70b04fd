import { createHash, createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { commonErrors, idFromUuid, newId } from '@storefront/contracts';
import type { IdPrefix } from '@storefront/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { openAnswer, sealAnswer, sealingKeyOf } from './sealed-answer.ts';

const waitMs = 15_000;

/** What is kept of a request under an `Idempotency-Key`. */
export interface IdempotencyRecord {
  /** Of the request's body: two bodies have the same one only if they are equal. */
  readonly fingerprint: string;
  /** The first answer, sealed; null while there is none. */
  readonly answer: string | null;
  /** Whether this call has taken the key: then it does the work. */
  readonly mine: boolean;
  /** Names the attempt that holds the key. */
  readonly holder: string;
  /** A UUID that is the same for all attempts, so that together they create one thing. */
  readonly seed: string;
}

/** Keeps the keys and their answers for 24 h. */
export interface IdempotencyStore {
  /** Takes the key if no attempt holds it, or if the attempt that holds it has died; otherwise returns what is kept. */
  claim(id: string, fingerprint: string): Promise<IdempotencyRecord>;
  /** Keeps the answer if `holder` still holds the key. */
  keep(id: string, holder: string, sealedAnswer: string): Promise<void>;
  /** Frees the key for the next attempt. */
  release(id: string, holder: string): Promise<void>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes `Idempotency-Key`. */
    idempotent?: boolean;
  }
  interface FastifyRequest {
    idempotency: { id: string; holder: string; seed: string; sealingKey: Buffer } | null;
  }
}

/**
 * `Idempotency-Key` on the routes whose operation says `idempotent`: the same key and body get the first answer again
 * for 24 h, also when the two race; another body under the same key is refused. Server errors and 429 are not kept: the
 * client may try again under the same key. Answers are kept encrypted; only the client's key, which is not kept, opens
 * them.
 */
export function acceptIdempotencyKeys(app: FastifyInstance, store: IdempotencyStore, secret: string): void {
  app.decorateRequest('idempotency', null);

  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key'];
    if (!request.routeOptions.config.idempotent || typeof key !== 'string') return undefined;
    const id = createHash('sha256')
      .update(`${request.method} ${request.url}\0${request.caller?.sub ?? ''}\0${key}`)
      .digest('base64url');
    const fingerprint = createHmac('sha256', secret)
      .update(`body\0${JSON.stringify(request.body ?? null)}`)
      .digest('base64url');
    const sealingKey = sealingKeyOf(secret, id, key);
    const deadline = Date.now() + waitMs;
    for (;;) {
      const record = await store.claim(id, fingerprint);
      if (record.fingerprint !== fingerprint) throw commonErrors.idempotencyKeyReused();
      if (record.answer !== null) {
        const { status, headers, body } = openAnswer(record.answer, sealingKey);
        return reply
          .code(status)
          .headers({ ...headers, 'idempotency-replayed': 'true' })
          .serializer((text: unknown) => String(text))
          .send(body);
      }
      if (record.mine) {
        request.idempotency = { id, holder: record.holder, seed: record.seed, sealingKey };
        return undefined;
      }
      if (Date.now() > deadline) throw commonErrors.idempotencyInProgress().with({ retryAfterSeconds: 1 });
      await wait(50);
    }
  });

  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const held = request.idempotency;
    if (!held) return payload;
    if (reply.statusCode >= 500 || reply.statusCode === 429) {
      await store.release(held.id, held.holder);
      return payload;
    }
    const headers = Object.fromEntries(
      ['content-type', 'location', 'etag'].flatMap((name) => {
        const value = reply.getHeader(name);
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
    const answer = { status: reply.statusCode, headers, body: typeof payload === 'string' ? payload : '' };
    await store.keep(held.id, held.holder, sealAnswer(answer, held.sealingKey));
    return payload;
  });
}

/** A UUID that is the same for every attempt of a request under one `Idempotency-Key`; undefined without a key. */
export function seedOf(request: FastifyRequest): string | undefined {
  return request.idempotency?.seed;
}

/** The id of what a request creates: the same for every attempt, so that each finds what an earlier one wrote. */
export function newIdFor(request: FastifyRequest, prefix: IdPrefix): string {
  const seed = seedOf(request);
  return seed === undefined ? newId(prefix) : idFromUuid(prefix, seed);
}
