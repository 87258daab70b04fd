import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { catalogErrors, commonErrors } from '@storefront/contracts';
import type { Logger } from 'pino';
import { megapixels } from '../domain/picture-sizes.ts';
import type { Decoded } from './decoding.ts';

/** A picture in the sizes in which it is stored. */
type EncodedPicture = Extract<Decoded, { readonly files: unknown }>;

/**
 * Decodes an uploaded picture and encodes it again, in a process of its own. Nothing of the upload but its pixels comes
 * out: no metadata, and no bytes that are no picture. Of an animation only the first frame is taken.
 *
 * One picture is decoded after the other. Throws `picture_not_supported`, `picture_unreadable` and `picture_too_large`, and
 * `overloaded` if too many wait, one waits too long, or one takes too long. `signal` ends the wait and the work.
 */
export type EncodePicture = (bytes: Buffer, signal: AbortSignal) => Promise<EncodedPicture>;

interface Options {
  readonly logger: Pick<Logger, 'warn'>;
  /** The program that decodes. */
  readonly program?: string;
  /** How many milliseconds a picture may wait, and how many it may take. */
  readonly waitMs?: number;
  readonly decodeMs?: number;
}

const maxWaiting = 12;
// Of what the program has written to its standard error.
const maxSaid = 2000;
const ownProgram = fileURLToPath(new URL(`decoding${extname(import.meta.url)}`, import.meta.url));

/** What a picture may wait and take is together less than the gateway waits (`takesMs` of the operation). */
export function createPictureEncoder({
  logger,
  program = ownProgram,
  waitMs = 10_000,
  decodeMs = 15_000,
}: Options): EncodePicture {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  /** Waits until the pictures before are done. The returned function lets the next one in. */
  async function enter(signal: AbortSignal): Promise<() => void> {
    if (waiting >= maxWaiting) throw commonErrors.overloaded();
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = Promise.all([before, promise]);
    waiting += 1;
    const ended = new AbortController();
    try {
      await Promise.race([
        before,
        wait(waitMs, undefined, { signal: AbortSignal.any([signal, ended.signal]) }).then(tooLong),
      ]);
      return resolve;
    } catch {
      resolve();
      throw commonErrors.overloaded();
    } finally {
      ended.abort();
      waiting -= 1;
    }
  }

  /** Lets a new process decode the picture. It gets no secret: neither the environment nor the options of this process. */
  async function decodeAlone(bytes: Buffer, signal: AbortSignal): Promise<Decoded> {
    if (signal.aborted) throw commonErrors.overloaded();
    const child = fork(program, {
      env: { MALLOC_ARENA_MAX: '2' },
      execArgv: ['--max-old-space-size=64'],
      serialization: 'advanced',
      stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
    });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-maxSaid)));
    const ended = once(child, 'close');
    const kill = () => child.kill('SIGKILL');
    const timer = setTimeout(kill, decodeMs);
    signal.addEventListener('abort', kill);
    try {
      // A process that was killed does not read all of it.
      child.stdin?.on('error', () => undefined).end(bytes);
      const answered = once(child, 'message').then(([decoded]) => decoded as Decoded);
      const decoded = await Promise.race([answered, ended.then(() => null)]);
      if (decoded) return decoded;
      if (signal.aborted || child.killed) throw commonErrors.overloaded();
      // A picture that breaks it ends it by a signal. An end of its own is a fault of the installation.
      if (child.signalCode === null) throw new Error(`the program that decodes pictures does not run:\n${said}`);
      logger.warn({ signal: child.signalCode, said }, 'a picture has ended the process that decodes it');
      return { refused: 'unreadable' };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      kill();
      await ended;
    }
  }

  return async (bytes, signal) => {
    const leave = await enter(signal);
    try {
      return pictureOf(await decodeAlone(bytes, signal));
    } finally {
      leave();
    }
  };
}

function tooLong(): never {
  throw commonErrors.overloaded();
}

function pictureOf(decoded: Decoded): EncodedPicture {
  if (!('refused' in decoded)) return decoded;
  if (decoded.refused === 'not-supported') throw catalogErrors.pictureNotSupported();
  if (decoded.refused === 'unreadable') throw catalogErrors.pictureUnreadable();
  const { kind, size } = decoded;
  throw catalogErrors.pictureTooLarge(size.width, size.height, megapixels[kind]);
}
