import { createHash, createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { commonErrors, idFromUuid, newId, type IdPrefix } from '@storefront/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { openAnswer, sealAnswer, sealingKeyOf, type KeptAnswer } from './sealed-answer.ts';

const waitMs = 15_000;
// A longer answer is made again instead, where its handler can do that. Most answers are far shorter.
const keptBodyBytes = 2048;

/** The record of a request under an `Idempotency-Key`. */
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
  /**
   * Takes the key if no attempt holds it, or if the attempt that holds it has died; otherwise returns what is kept. A new
   * key counts for its owner. Throws `too_many_idempotency_keys` where the owner has used too many.
   */
  claim(id: string, fingerprint: string, owner: string | null): Promise<IdempotencyRecord>;
  /** Does the work of the attempt `holder`. Once another attempt may have the key, further writes fail. */
  whileHeld<Result>(holder: string, work: () => Result | Promise<Result>): Promise<Result>;
  /** Keeps the answer if `holder` still holds the key. */
  keep(id: string, holder: string, sealedAnswer: string): Promise<void>;
  /** Frees the key for the next attempt. Returns at once and never throws: it tries until the key is free. */
  release(id: string, holder: string): void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes `Idempotency-Key`. */
    idempotent?: boolean;
    /** Its handler makes an answer again, so that a long one need not be kept. */
    answersAgain?: boolean;
  }
  interface FastifyRequest {
    idempotency: {
      readonly id: string;
      readonly holder: string;
      readonly seed: string;
      readonly sealingKey: Buffer;
      /** Does the work, which writes only while this attempt holds the key. */
      readonly whileHeld: <Result>(work: () => Result | Promise<Result>) => Promise<Result>;
      note?: string;
    } | null;
    /** The first answer to this request, which is to be made again. */
    replay: (KeptAnswer & { readonly seed: string }) | null;
  }
}

/**
 * `Idempotency-Key` on the routes whose operation says `idempotent`: the same key and body get the first answer again
 * for 24 h, also when the two race; another body under the same key is refused. Server errors and 429 are not kept: the
 * client may try again under the same key. Nor is a refusal while the store is away. Answers are kept encrypted; only the
 * client's key, which is not kept, opens them. Of a long answer only a digest is kept, and `again` of its handler makes
 * it; where what it shows has changed since, the answer is the present state and says `Idempotency-Changed: true`.
 *
 * Anonymous callers share a key only where they send the same request: a key that a stranger has used, or guessed, for
 * another request has no effect.
 */
export function acceptIdempotencyKeys(app: FastifyInstance, store: IdempotencyStore, secret: string): void {
  app.decorateRequest('idempotency', null);
  app.decorateRequest('replay', null);

  app.addHook('preHandler', async (request, reply) => {
    const key = request.routeOptions.config.idempotent ? idempotencyKeyOf(request) : undefined;
    // A malformed one was refused together with the fields that are wrong.
    if (key === undefined || key === null) return undefined;
    const { caller } = request;
    const fingerprint = hmac(`body\0${JSON.stringify(request.body ?? null)}`);
    const id = createHash('sha256')
      .update(`${request.method} ${request.url}\0${caller?.sub ?? `\0${fingerprint}`}\0${key}`)
      .digest('base64url');
    const owner = caller && hmac(`owner\0${caller.sub}`);
    const sealingKey = sealingKeyOf(secret, id, key);
    const deadline = Date.now() + waitMs;
    for (;;) {
      const record = await store.claim(id, fingerprint, owner);
      if (record.fingerprint !== fingerprint) throw commonErrors.idempotencyKeyReused();
      if (record.answer !== null) {
        const kept = openAnswer(record.answer, sealingKey);
        const { status, headers, body } = kept;
        void reply.code(status).headers({ ...headers, 'idempotency-replayed': 'true' });
        if (body === null) {
          request.replay = { ...kept, seed: record.seed };
          return undefined;
        }
        return reply.serializer((text: unknown) => String(text)).send(body);
      }
      if (record.mine) {
        const { holder, seed } = record;
        const whileHeld = <Result>(work: () => Result | Promise<Result>) => store.whileHeld(holder, work);
        request.idempotency = { id, holder, seed, sealingKey, whileHeld };
        return undefined;
      }
      if (Date.now() > deadline) throw commonErrors.idempotencyInProgress().with({ retryAfterSeconds: 1 });
      await wait(50);
    }
  });

  app.addHook('onSend', async (request, reply, payload: unknown) => {
    if (request.replay && reply.statusCode < 300 && digestOf(payload) !== request.replay.digest)
      void reply.header('idempotency-changed', 'true');
    const held = request.idempotency;
    if (!held) return payload;
    if (reply.statusCode >= 500 || reply.statusCode === 429) {
      store.release(held.id, held.holder);
      return payload;
    }
    const headers = Object.fromEntries(
      ['content-type', 'location', 'etag'].flatMap((name) => {
        const value = reply.getHeader(name);
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
    const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? String(payload) : '';
    const isMadeAgain =
      request.routeOptions.config.answersAgain === true &&
      reply.statusCode < 300 &&
      Buffer.byteLength(body) > keptBodyBytes;
    const { note } = held;
    const answer: KeptAnswer = {
      status: reply.statusCode,
      headers,
      ...(isMadeAgain ? { body: null, digest: digestOf(body), ...(note === undefined ? {} : { note }) } : { body }),
    };
    try {
      await store.keep(held.id, held.holder, sealAnswer(answer, held.sealingKey));
    } catch (error) {
      if (reply.statusCode < 400) throw error;
      // A refusal has changed nothing. An error thrown here would be answered in Fastify's own words, under the refusal's status.
      store.release(held.id, held.holder);
    }
    return payload;
  });

  function hmac(text: string): string {
    return createHmac('sha256', secret).update(text).digest('base64url');
  }
}

function digestOf(payload: unknown): string {
  return createHash('sha256').update(String(payload)).digest('base64url');
}

/**
 * Keeps what the answer says besides what is stored, in few words, for `again` of the handler: `noteOf` gives it
 * back. Without an `Idempotency-Key` it does nothing.
 */
export function noteForReplay(request: FastifyRequest, note: string): void {
  if (request.idempotency) request.idempotency.note = note;
}

/** The note that the first attempt gave to `noteForReplay`. */
export function noteOf(request: FastifyRequest): string {
  return request.replay?.note ?? '';
}

/** A UUID that is the same for every attempt of a request under one `Idempotency-Key`; undefined without a key. */
export function seedOf(request: FastifyRequest): string | undefined {
  return (request.idempotency ?? request.replay)?.seed;
}

/** The id of what a request creates: the same for every attempt, so that each finds what an earlier one wrote. */
export function newIdFor(request: FastifyRequest, prefix: IdPrefix): string {
  const seed = seedOf(request);
  return seed === undefined ? newId(prefix) : idFromUuid(prefix, seed);
}
