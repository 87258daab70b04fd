import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Verdict } from './provider.ts';

const toleranceSeconds = 300;
const timestamp = /^\d{1,11}$/;
const sha256InHex = /^[0-9a-f]{64}$/;

/**
 * Checks a signature of the form `t=<unix seconds>,v1=<hex>`: v1 is the HMAC-SHA256 of `<t>.<body>`. A provider that
 * rotates its secret may send several v1, and several secrets may be configured; one match is enough. Signatures of
 * other schemes (`v0`) are ignored.
 */
export function verifySignedHeader(
  header: string | string[] | undefined,
  body: Buffer,
  { secrets, now }: { readonly secrets: readonly string[]; readonly now: Date },
): Verdict {
  if (typeof header !== 'string') return 'bad_signature';
  const parts = header.split(',').map((part): [name: string, value: string] => {
    const [name = '', value = ''] = part.trim().split('=', 2);
    return [name, value];
  });
  const times = parts.filter(([name]) => name === 't').map(([, value]) => value);
  const signatures = parts
    .filter(([name, value]) => name === 'v1' && sha256InHex.test(value))
    .map(([, value]) => value);
  const [time = ''] = times;
  if (times.length !== 1 || !timestamp.test(time)) return 'bad_signature';
  const isSigned = secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
    return signatures.some((signature) => timingSafeEqual(Buffer.from(signature, 'hex'), expected));
  });
  if (!isSigned) return 'bad_signature';
  return Math.abs(now.getTime() / 1000 - Number(time)) > toleranceSeconds ? 'stale' : 'ok';
}
