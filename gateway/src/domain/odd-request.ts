/** Why a request is refused before anything looks at what it wants. */
export interface Oddity {
  readonly status: 400 | 405;
  readonly code: 'malformed_request' | 'method_not_allowed';
  readonly detail: string;
}

export const allowedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

// Two readers of a message must never differ on these, so they may come once at most.
const single = new Set(['host', 'content-type', 'content-length', 'transfer-encoding', 'expect']);

// RFC 3986's path characters. Escapes are judged below.
const pathCharacters = /^\/[A-Za-z0-9\-._~!$&'()*+,;=:@%/]*$/;
// A path has one spelling: an escape of what needs none, of a separator, or of an escape hides something.
const hidingEscape =
  /%(?![0-9a-f]{2})|%(?:[01][0-9a-f]|7f|2[def5]|5[cf]|7e|3[0-9]|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/i;
const dotSegment = /\/\.{1,2}(?:\/|$)/;
const queryCharacters = /^[\x21\x24-\x7e]*$/;
const escapedControl = /%(?:0[0-8bcef]|1[0-9a-f]|7f)/i;

/**
 * What is odd about a request's line and headers, or nothing. `rawHeaders` as Node has them: name, value, name, value;
 * `version` of HTTP, `1.1` where none is given. Whatever passes means the same to every reader behind this one.
 */
export function findOddity(
  method: string | undefined,
  target: string | undefined,
  rawHeaders: readonly string[],
  version = '1.1',
): Oddity | undefined {
  // Node also takes lines that say 0.9 and 2.0, and frames them as if they had said 1.1.
  if (version !== '1.1' && version !== '1.0') return odd('This version of HTTP is not taken here.');
  if (!allowedMethods.some((allowed) => allowed === method))
    return { status: 405, code: 'method_not_allowed', detail: 'This method is not known here.' };
  return targetOddity(target ?? '') ?? headerOddity(method === 'GET' || method === 'HEAD', rawHeaders, version);
}

function targetOddity(target: string): Oddity | undefined {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  if (!pathCharacters.test(path))
    return odd('The path must begin with a slash and hold only the characters of a path.');
  if (path.includes('%') && (hidingEscape.test(path) || !isUtf8(path)))
    return odd('The path has escapes that it must not have.');
  if (path.includes('//') || dotSegment.test(path)) return odd('The path has empty segments or dot segments.');
  if (mark === -1) return undefined;
  const query = target.slice(mark + 1);
  if (!queryCharacters.test(query) || escapedControl.test(query))
    return odd('The query has characters that it must not have.');
  return undefined;
}

function isUtf8(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function headerOddity(bodyless: boolean, rawHeaders: readonly string[], version: string): Oddity | undefined {
  const seen = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    if (!single.has(name)) continue;
    if (seen.has(name)) return odd(`The header ${name} must come once.`);
    seen.set(name, rawHeaders[index + 1] as string);
  }
  if (!seen.get('host')) return odd('The header host is required.');
  const encoding = seen.get('transfer-encoding');
  const length = seen.get('content-length');
  const isChunked = encoding?.toLowerCase() === 'chunked' && version === '1.1';
  if (encoding !== undefined && (length !== undefined || !isChunked))
    return odd('The length of the body is stated in a way that is not taken here.');
  if (bodyless && (encoding !== undefined || (length !== undefined && length !== '0')))
    return odd('This method takes no body.');
  return undefined;
}

function odd(detail: string): Oddity {
  return { status: 400, code: 'malformed_request', detail };
}
