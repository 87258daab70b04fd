import { commonErrors, type Refusal } from '@storefront/contracts';

export const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

// Each of these headers may come only once: if one came twice, two programs could use different values.
const single = new Set(['host', 'content-type', 'content-length', 'transfer-encoding', 'expect']);

// The characters that RFC 3986 allows in a path. Escapes are checked below.
const pathCharacters = /^\/[A-Za-z0-9\-._~!$&'()*+,;=:@%/]*$/;
// Each path can be written in one way only, so escapes of plain characters, separators and percent signs are refused.
const forbiddenEscape =
  /%(?![0-9a-f]{2})|%(?:[01][0-9a-f]|7f|2[def5]|5[cf]|7e|3[0-9]|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/i;
const dotSegment = /\/\.{1,2}(?:\/|$)/;
const queryCharacters = /^[\x21\x24-\x7e]*$/;
const escapedControl = /%(?:0[0-8bcef]|1[0-9a-f]|7f)/i;

/**
 * Checks the request line and the headers. Returns undefined, or a refusal: 400, or 405 for a method that no route has.
 * Every program reads a request that passes in the same way. `rawHeaders` is Node's list: name, value, name, value.
 */
export function refusalOfMalformed(
  method: string | undefined,
  target: string | undefined,
  rawHeaders: readonly string[],
  version = '1.1',
): Refusal | undefined {
  // Node also accepts the versions 0.9 and 2.0 in the request line, and treats them as 1.1.
  if (version !== '1.1' && version !== '1.0')
    return commonErrors.malformedRequest('This version of HTTP is not taken here.');
  if (!knownMethods.some((known) => known === method))
    return commonErrors.methodNotAllowed('This method is not known here.');
  const wrong = wrongTarget(target ?? '') ?? wrongHeaders(method === 'GET' || method === 'HEAD', rawHeaders, version);
  if (wrong !== undefined) return commonErrors.malformedRequest(wrong);
  return isUtf8(target ?? '') ? undefined : commonErrors.invalidEncoding('query');
}

function wrongTarget(target: string): string | undefined {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  if (!pathCharacters.test(path)) return 'The path must begin with a slash and hold only the characters of a path.';
  if (forbiddenEscape.test(path) || !isUtf8(path)) return 'The path has escapes that it must not have.';
  if (path.includes('//') || dotSegment.test(path)) return 'The path has empty segments or dot segments.';
  if (mark === -1) return undefined;
  const query = target.slice(mark + 1);
  if (!queryCharacters.test(query) || escapedControl.test(query))
    return 'The query has characters that it must not have.';
  return undefined;
}

/** Whether the percent escapes of this part are valid UTF-8. */
function isUtf8(part: string): boolean {
  if (!part.includes('%')) return true;
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

function wrongHeaders(bodyless: boolean, rawHeaders: readonly string[], version: string): string | undefined {
  const seen = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    if (!single.has(name)) continue;
    if (seen.has(name)) return `The header ${name} must come once.`;
    seen.set(name, rawHeaders[index + 1] as string);
  }
  if (!seen.get('host')) return 'The header host is required.';
  const encoding = seen.get('transfer-encoding');
  const length = seen.get('content-length');
  const isChunked = encoding?.toLowerCase() === 'chunked' && version === '1.1';
  if (encoding !== undefined && (length !== undefined || !isChunked))
    return 'The length of the body is stated in a way that is not taken here.';
  if (bodyless && (encoding !== undefined || (length !== undefined && length !== '0')))
    return 'This method takes no body.';
  return undefined;
}
