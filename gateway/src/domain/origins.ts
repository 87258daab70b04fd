/** The end of a configured origin that stands for every port. */
const anyPort = ':*';

/** Whether the text is an origin as browsers send it, such as `https://shop.example`. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text && !text.includes('*');
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
