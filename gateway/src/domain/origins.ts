/** The end of a configured origin that stands for every port. */
const anyPort = ':*';

/** Whether the text is an origin as browsers send it, such as `https://shop.example`. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text && !text.includes('*');
}

/**
 * Whether a request comes from a page of the origin that it is sent to. Browsers say so in `Sec-Fetch-Site`, which no page
 * can set; older ones name the origin of the page, which must be that of `host`. A request without `Origin` comes from no
 * page, or from one that does not say which.
 */
export function isSameOrigin(
  { origin, 'sec-fetch-site': site }: { readonly origin?: string; readonly 'sec-fetch-site'?: unknown },
  host: string,
): boolean {
  if (origin === undefined || !isOrigin(origin)) return false;
  return site === undefined ? URL.parse(origin)?.host === host : site === 'same-origin';
}

/** Whether the text is an origin, or one with `*` in place of its port. */
export function isOriginPattern(text: string): boolean {
  return isOrigin(text.endsWith(anyPort) ? text.slice(0, -anyPort.length) : text);
}

/** Returns what a configured origin matches: itself, or its host with every port and with none. */
export function matcherOf(pattern: string): string | RegExp {
  if (!pattern.endsWith(anyPort)) return pattern;
  const host = pattern.slice(0, -anyPort.length).replaceAll(/[.[\]]/g, String.raw`\$&`);
  return new RegExp(String.raw`^${host}(:\d+)?$`);
}
