import { createHmac, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import type { CodePurpose, HashedCode, NewCode, StoredCode } from '../domain/code.ts';
import { seal } from './seal.ts';

/** A code in a link, which identifies its flow without an id. */
interface NewLink {
  /** The encrypted content of the mail: the link's code, and six digits where the mail has digits. */
  readonly sealed: string;
  /**
   * The six digits. Where the mail has none, a code that is sent to nobody, so that a try of digits takes the same work
   * and always fails.
   */
  readonly digits: HashedCode;
  readonly linkHash: string;
}

export interface Codes {
  /** Makes a code: six digits, or 43 characters that can't be guessed. */
  create(kind: 'digits' | 'long'): Promise<NewCode>;
  /** Makes a long code for a link, with or without six digits beside it. */
  createLink(withDigits: boolean): Promise<NewLink>;
  /** The hash of a link's code. The flow that the link belongs to is found by this hash. */
  linkHash(code: string): string;
  /** Whether the code is the stored one. Takes the same time for right and wrong codes. */
  matches(stored: StoredCode, flowId: string, purpose: CodePurpose, code: string): boolean;
}

const longBytes = 32;

/** `secret` is the key of the stored hashes. `sealingKey` is shared only with the service that mails the codes. */
export function createCodes(secret: string, sealingKey: Uint8Array): Codes {
  // The hash depends on purpose and flow, so that a code for one of them is never valid for another.
  const hash = (flowId: string, purpose: CodePurpose, code: string) =>
    createHmac('sha256', secret).update(`code\0${purpose}\0${flowId}\0${code}`).digest();
  const linkHash = (code: string) => createHmac('sha256', secret).update(`link\0${code}`).digest('base64url');
  const hashed = (code: string): HashedCode => ({
    id: randomUUID(),
    hashFor: (flowId, purpose) => hash(flowId, purpose, code).toString('base64url'),
  });
  return {
    async create(kind) {
      const code = kind === 'digits' ? newDigits() : newLongCode();
      return { ...hashed(code), sealed: await seal({ code, link: null }, sealingKey) };
    },
    async createLink(withDigits) {
      const digits = withDigits ? newDigits() : null;
      const link = newLongCode();
      return {
        sealed: await seal({ code: digits, link }, sealingKey),
        digits: hashed(digits ?? newLongCode()),
        linkHash: linkHash(link),
      };
    },
    linkHash,
    matches(stored, flowId, purpose, code) {
      const known = Buffer.from(stored.hash, 'base64url');
      const entered = hash(flowId, purpose, code);
      return known.length === entered.length && timingSafeEqual(known, entered);
    },
  };
}

function newDigits(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

function newLongCode(): string {
  return randomBytes(longBytes).toString('base64url');
}
