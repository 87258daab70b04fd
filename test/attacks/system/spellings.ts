/** One way to write a path that a careless reader takes for the path itself. */
export interface Spelling {
  readonly what: string;
  /** What the gateway answers. */
  readonly status: number;
  readonly write: (path: string) => string;
}

const inHex = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;
/** `/v1/users/me` as `/v1` and `/users/me`. */
const cut = (path: string) => [path.slice(0, path.indexOf('/', 1)), path.slice(path.indexOf('/', 1))] as const;
/** Puts `text` in place of the last slash. */
const lastSlash = (path: string, text: string) => path.replace(/\/(?=[^/]*$)/, () => text);
const between = (path: string, text: string) => cut(path).join(text);

/** The ways in which a request is written, of paths with at least two segments. */
export const spellings: readonly Spelling[] = [
  { what: 'the absolute form', status: 400, write: (path) => `http://x${path}` },
  { what: 'the absolute form of another host', status: 400, write: (path) => `http://evil.example${path}` },
  { what: 'the absolute form in capitals', status: 400, write: (path) => `HTTP://X${path}` },
  { what: 'the absolute form of another scheme', status: 400, write: (path) => `file://${path}` },
  { what: 'no slash in front', status: 400, write: (path) => path.slice(1) },
  { what: 'a slash in hex', status: 400, write: (path) => lastSlash(path, '%2f') },
  { what: 'the first slash in hex', status: 400, write: (path) => `%2f${path.slice(1)}` },
  { what: 'a slash in front of one in hex', status: 400, write: (path) => `/%2f${path.slice(1)}` },
  { what: 'a backslash', status: 400, write: (path) => lastSlash(path, '\\') },
  { what: 'a backslash in front', status: 400, write: (path) => `/\\${path.slice(1)}` },
  { what: 'a backslash in hex', status: 400, write: (path) => lastSlash(path, '%5c') },
  { what: 'dots', status: 400, write: (path) => between(path, '/auth/..') },
  { what: 'dots at the end', status: 400, write: (path) => `${path}/..` },
  { what: 'one dot', status: 400, write: (path) => between(path, '/.') },
  { what: 'dots behind an open route', status: 400, write: (path) => `/livez/..${path}` },
  { what: 'dots in hex', status: 400, write: (path) => `/v1/%2e%2e${path}` },
  { what: 'one dot in hex', status: 400, write: (path) => `/v1/.%2e${path}` },
  { what: 'dots in hex of hex', status: 400, write: (path) => `/v1/%252e%252e${path}` },
  { what: 'dots with a parameter', status: 404, write: (path) => `/v1/..;${path}` },
  { what: 'a parameter at the end', status: 404, write: (path) => `${path};x=1` },
  { what: 'a parameter in front', status: 404, write: (path) => `/;x=1${path}` },
  { what: 'the first letter in hex', status: 400, write: (path) => `/${inHex(path.charAt(1))}${path.slice(2)}` },
  { what: 'the last letter in hex', status: 400, write: (path) => path.slice(0, -1) + inHex(path.slice(-1)) },
  { what: 'all letters in hex', status: 400, write: (path) => path.replaceAll(/[a-z]/g, inHex) },
  {
    what: 'a letter in hex of hex',
    status: 400,
    write: (path) => `/%25${inHex(path.charAt(1)).slice(1)}${path.slice(2)}`,
  },
  { what: 'a null byte', status: 400, write: (path) => `${path}%00` },
  { what: 'a null byte before an end', status: 400, write: (path) => `${path}%00.json` },
  { what: 'a line end', status: 400, write: (path) => `${path}%0d%0aX-Internal-Token:%20x` },
  { what: 'UTF-8 that is too long', status: 400, write: (path) => lastSlash(path, '/%c0%af') },
  { what: '%u', status: 400, write: (path) => lastSlash(path, '%u002f') },
  { what: 'two slashes', status: 400, write: (path) => `/${path}` },
  { what: 'two slashes inside', status: 400, write: (path) => between(path, '/') },
  { what: 'a slash at the end', status: 404, write: (path) => `${path}/` },
  { what: 'capitals', status: 404, write: (path) => path.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()) },
  { what: 'a fragment', status: 400, write: (path) => `${path}#x` },
  { what: 'a fragment that is an open route', status: 400, write: (path) => `${path}#/livez` },
  { what: 'a space in the target', status: 400, write: (path) => lastSlash(path, '/ ') },
  { what: 'a tab in the target', status: 400, write: (path) => lastSlash(path, '/\t') },
];
