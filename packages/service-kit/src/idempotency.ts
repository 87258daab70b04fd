import { createHash, createHmac, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectionOf, isDuplicate } from './database.ts';
import type { Database } from './database.ts';
import { Problem } from './problem.ts';
import { openAnswer, sealAnswer, sealingKeyOf } from './sealed-answer.ts';

const keptMs = 24 * 60 * 60 * 1000;
// Longer than a handler may take: after it, whoever held the key has died.
const leaseMs = 12_000;
const waitMs = 15_000;

interface KeyRecord {
  _id: string;
  fingerprint: string;
  /** Names the attempt that holds the key. */
  holder: string;
  leaseUntil: Date;
  /** Sealed: answers tell of people, and whoever is erased must not live on here. */
  answer: string | null;
  /** Stays the same over attempts, so that what they create is one thing. */
  seed: string;
  expiresAt: Date;
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
 * `Idempotency-Key` on the routes whose config says `idempotent`: the same key and body get the first answer again for
 * 24 h, also when the two race; another body under the same key is refused. Server errors are not kept: the client may
 * try again under the same key. Kept answers can only be read with the key that the client made, which is not kept.
 */
export async function acceptIdempotencyKeys(app: FastifyInstance, database: Database, secret: string): Promise<void> {
  const records = collectionOf<KeyRecord>(database, 'idempotency_keys');
  await records.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
  app.decorateRequest('idempotency', null);

  app.addHook('preHandler', async (request, reply) => {
    if (!request.routeOptions.config.idempotent) return undefined;
    const key = keyOf(request);
    if (key === undefined) return undefined;
    const id = createHash('sha256')
      .update(`${request.method} ${request.url}\0${request.caller?.sub ?? ''}\0${key}`)
      .digest('base64url');
    const fingerprint = createHmac('sha256', secret)
      .update(`body\0${JSON.stringify(request.body ?? null)}`)
      .digest('base64url');
    const sealingKey = sealingKeyOf(secret, id, key);
    const deadline = Date.now() + waitMs;
    for (;;) {
      const claimed = await claim(id, fingerprint);
      if (claimed.fingerprint !== fingerprint) {
        throw new Problem(422, 'idempotency_key_reused', 'This Idempotency-Key was used with another request.');
      }
      if (claimed.answer) {
        const { status, headers, body } = openAnswer(claimed.answer, sealingKey);
        return reply
          .code(status)
          .headers({ ...headers, 'idempotency-replayed': 'true' })
          .serializer((text: unknown) => String(text))
          .send(body);
      }
      if (claimed.mine) {
        request.idempotency = { id, holder: claimed.holder, seed: claimed.seed, sealingKey };
        return undefined;
      }
      if (Date.now() > deadline)
        throw new Problem(
          409,
          'idempotency_in_progress',
          'The first request under this key is still being worked on.',
          { headers: { 'retry-after': '1' } },
        );
      await wait(50);
    }
  });

  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const held = request.idempotency;
    if (!held) return payload;
    const mine = { _id: held.id, holder: held.holder };
    if (reply.statusCode >= 500 || reply.statusCode === 429) {
      await records.updateOne({ ...mine, answer: null }, { $set: { leaseUntil: new Date(0) } });
      return payload;
    }
    const headers = Object.fromEntries(
      ['content-type', 'location', 'etag'].flatMap((name) => {
        const value = reply.getHeader(name);
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
    const answer = { status: reply.statusCode, headers, body: typeof payload === 'string' ? payload : '' };
    await records.updateOne(mine, { $set: { answer: sealAnswer(answer, held.sealingKey) } });
    return payload;
  });

  async function claim(id: string, fingerprint: string): Promise<KeyRecord & { mine: boolean }> {
    const now = Date.now();
    const holder = randomUUID();
    const lease = { holder, leaseUntil: new Date(now + leaseMs) };
    try {
      const fresh: KeyRecord = {
        _id: id,
        fingerprint,
        ...lease,
        answer: null,
        seed: randomUUID(),
        expiresAt: new Date(now + keptMs),
      };
      await records.insertOne(fresh);
      return { ...fresh, mine: true };
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    const takenOver = await records.findOneAndUpdate(
      { _id: id, fingerprint, answer: null, leaseUntil: { $lt: new Date(now) } },
      { $set: lease },
      { returnDocument: 'after' },
    );
    if (takenOver) return { ...takenOver, mine: true };
    const existing = await records.findOne({ _id: id });
    // Gone between the two: expired just now. The next turn inserts it.
    return existing ? { ...existing, mine: false } : claim(id, fingerprint);
  }
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Problem(400, 'validation_failed', 'The Idempotency-Key is not valid.', {
    errors: [
      {
        pointer: '/idempotency-key',
        in: 'header',
        code: 'invalid_value',
        message: 'must be 1 to 255 visible ASCII characters',
      },
    ],
  });
}

/**
 * A UUIDv7-shaped id for what a request creates: the same for every attempt under one Idempotency-Key, so that a request
 * repeated after a crash finds what the first one wrote.
 */
export function seedOf(request: FastifyRequest): string | undefined {
  return request.idempotency?.seed;
}
