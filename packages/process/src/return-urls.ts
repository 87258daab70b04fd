import { z } from 'zod';

/** An origin with `*` in place of its port. */
const everyPort = /^https?:\/\/[\w.-]+:\*$/;

/** The type of `RETURN_URLS`: beginnings of addresses, separated by commas. */
export const returnUrls = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((each) => each.trim() || []))
  .pipe(z.array(z.union([z.url({ protocol: /^https?$/ }), z.string().regex(everyPort)])));

/** Whether the address begins with an allowed one; `https://shop.example` does not allow `https://shop.example.org`. */
export function isReturnUrl(address: string, allowed: readonly string[]): boolean {
  const { origin, protocol, hostname, pathname } = new URL(address);
  return allowed.some((each) => {
    if (each.endsWith(':*')) return each === `${protocol}//${hostname}:*`;
    const { origin: own, pathname: path } = new URL(each);
    return origin === own && (pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`));
  });
}
