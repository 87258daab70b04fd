import { createHash, createHmac, hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { commonErrors, idFromUuid, newId, type IdPrefix } from '@storefront/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { openAnswer, sealAnswer, sealingKeyOf, type KeptAnswer } from './sealed-answer.ts';

const waitMs = 15_000;
// A longer answer is not stored but made again, if its handler can do that. Most answers are far shorter.
const keptBodyBytes = 2048;

/** The record of a request under an `Idempotency-Key`. */
export interface IdempotencyRecord {
  /** A hash of the request's body, which is different for different bodies. */
  readonly fingerprint: string;
  /** The first answer, sealed; null if there is no answer yet. */
  readonly answer: string | null;
  /** Whether this call has taken the key and must do the work. */
  readonly mine: boolean;
  /** The attempt that holds the key. */
  readonly holder: string;
  /** The same UUID for all attempts, so that several attempts create an object only once. */
  readonly seed: string;
}

/** Stores the keys and their answers for 24 h. */
export interface IdempotencyStore {
  /**
   * Takes the key if no attempt holds it, or if the holder's process has ended. Otherwise returns the stored record. A
   * new key counts for its owner. Throws `too_many_idempotency_keys` if the owner has used too many.
   */
  claim(id: string, fingerprint: string, owner: string | null): Promise<IdempotencyRecord>;
  /** Runs the work of the attempt `holder`. Once another attempt may have the key, further writes fail. */
  whileHeld<Result>(holder: string, work: () => Result | Promise<Result>): Promise<Result>;
  /** Stores the answer if `holder` still holds the key. */
  keep(id: string, holder: string, sealedAnswer: string): Promise<void>;
  /** Frees the key for the next attempt. Returns at once and never throws; it keeps trying until the key is free. */
  release(id: string, holder: string): void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route accepts `Idempotency-Key`. */
    idempotent?: boolean;
    /** Whether the handler can make an answer again, so that a long answer need not be stored. */
    answersAgain?: boolean;
  }
  interface FastifyRequest {
    idempotency: {
      readonly id: string;
      readonly holder: string;
      readonly seed: string;
      readonly sealingKey: Buffer;
      /** Runs the work, which can write only while this attempt holds the key. */
      readonly whileHeld: <Result>(work: () => Result | Promise<Result>) => Promise<Result>;
      note?: string;
    } | null;
    /** The stored first answer to this request, whose body must be made again; otherwise null. */
    replay: (KeptAnswer & { readonly seed: string }) | null;
  }
}

/**
 * Accepts `Idempotency-Key` on routes with `idempotent` in their operation. For 24 h the same key and body get the
 * first answer again, even if both requests run at the same time. Another body with the same key is refused. Server
 * errors and 429 are not stored, so the client may try again with the same key. A refusal is not stored either while
 * the store is unreachable.
 *
 * Answers are stored encrypted. Only the client's key, which is not stored, can decrypt them. For a long answer only a
 * digest is stored, and `again` of its handler makes the answer. If its data has changed meanwhile, the client gets the
 * present state and `Idempotency-Changed: true`.
 *
 * Anonymous callers share a key only if they send the same request. So a key that a stranger used or guessed for
 * another request has no effect.
 */
export function acceptIdempotencyKeys(app: FastifyInstance, store: IdempotencyStore, secret: string): void {
  app.decorateRequest('idempotency', null);
  app.decorateRequest('replay', null);

  app.addHook('preHandler', async (request, reply) => {
    const key = request.routeOptions.config.idempotent ? idempotencyKeyOf(request) : undefined;
    // A malformed key was already refused together with other wrong fields.
    if (key === undefined || key === null) return undefined;
    const { caller } = request;
    const fingerprint = hmac(`body\0${contentOf(request.body)}`);
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
      // A refusal has changed nothing, so the key can be released. If this threw, Fastify would send its own error body
      // with the refusal's status.
      store.release(held.id, held.holder);
    }
    return payload;
  });

  function hmac(text: string): string {
    return createHmac('sha256', secret).update(text).digest('base64url');
  }
}

// As JSON, the bytes of a picture would be four times as long.
function contentOf(body: unknown): string {
  return Buffer.isBuffer(body) ? `bytes ${hash('sha256', body, 'base64url')}` : JSON.stringify(body ?? null);
}

function digestOf(payload: unknown): string {
  return createHash('sha256').update(String(payload)).digest('base64url');
}

/**
 * Stores a short note with the information in the answer that is not stored elsewhere. `again` of the handler reads it
 * with `noteOf`. Does nothing for a request without an `Idempotency-Key`.
 */
export function noteForReplay(request: FastifyRequest, note: string): void {
  if (request.idempotency) request.idempotency.note = note;
}

/** Returns the note that the first attempt passed to `noteForReplay`; an empty string without a note. */
export function noteOf(request: FastifyRequest): string {
  return request.replay?.note ?? '';
}

/** Returns a UUID that is the same for every attempt with one `Idempotency-Key`; undefined without a key. */
export function seedOf(request: FastifyRequest): string | undefined {
  return (request.idempotency ?? request.replay)?.seed;
}

/**
 * Returns the id for the object that a request creates. The id is the same for every attempt, so each attempt finds
 * what an earlier one wrote.
 */
export function newIdFor(request: FastifyRequest, prefix: IdPrefix): string {
  const seed = seedOf(request);
  return seed === undefined ? newId(prefix) : idFromUuid(prefix, seed);
}
