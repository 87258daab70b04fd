import type { Answer } from '../../client.ts';

/** An answer as it came. */
export interface Seen extends Answer {
  readonly text: string;
}

/** Looks for secrets and for the insides of the server where they must not be. */
export interface LeakWatch {
  /** From now on this text must be in no answer and no log line. */
  keepSecret(text: string): void;
  look(what: string, answer: Seen): void;
  /** What was found so far, in answers and in all log lines; empty where nothing leaked. */
  findings(): string[];
}

const insides: readonly [what: string, pattern: RegExp][] = [
  ['a password hash', /\$argon2/],
  ['a stack trace', /\bat (?:async )?[\w.<>]+ \(?(?:file:\/\/|node:|\/)/],
  ['an error of the database', /Mongo\w*Error|E11000|BSON|ECONNREFUSED/],
  ['a path of the server', /\/node_modules\/|\/src\/|\.(?:ts|js):\d+/],
];
const jwt = /eyJ[\w-]{10,}\.[\w-]{10,}/;

// The answers whose business it is to hand these over.
const handedOver = ['accessToken', 'refreshToken', 'deviceToken', 'registrationId', 'recoveryId', 'ticket'];

export function createLeakWatch(lines: readonly string[]): LeakWatch {
  const [texts, codes] = [new Set<string>(), new Set<string>()];
  const found = new Set<string>();

  const keepSecret = (text: string) => void (/^\d+$/.test(text) ? codes : texts).add(text);
  // A code is digits, and so are parts of many a number.
  const holdsCode = (text: string) => text.matchAll(/(?<![\w.-])\d+(?![\w.-])/g).some(([number]) => codes.has(number));
  const holdsSecret = (text: string) => texts.values().some((secret) => text.includes(secret)) || holdsCode(text);

  return {
    keepSecret,
    look(what, { status, headers, body, text }) {
      const given = status < 300 && body !== null ? handedOver.filter((name) => name in Object(body)) : [];
      for (const name of given) keepSecret(String(body[name]));
      const without = Object.fromEntries(given.map((name) => [name, '']));
      const shown = given.length > 0 ? JSON.stringify({ ...body, ...without }) : text;
      const all = `${shown}\n${JSON.stringify([...headers])}`;
      for (const [inside, pattern] of insides) if (pattern.test(all)) found.add(`${what} answered ${inside}: ${text}`);
      if (jwt.test(all)) found.add(`${what} answered a token: ${text}`);
      if (holdsSecret(all)) found.add(`${what} answered a secret: ${text}`);
      if (status === 500) found.add(`${what} answered 500: ${text}`);
    },
    findings() {
      // One pattern for all of them: there are tens of thousands of lines, and hundreds of secrets.
      const anyText = new RegExp([...texts].map((text) => RegExp.escape(text)).join('|') || '(?!)');
      for (const line of lines) {
        // When and by which process it was logged are numbers that may look like a code.
        const logged = line.replace(/"time":\d+,"pid":\d+,/, '');
        if (logged.includes('$argon2')) found.add(`a line holds a password hash: ${line}`);
        if (jwt.test(logged)) found.add(`a line holds a token: ${line}`);
        if (logged.includes('"request failed"')) found.add(`a request failed: ${line}`);
        if (anyText.test(logged) || holdsCode(logged)) found.add(`a line holds a secret: ${line}`);
      }
      return [...found];
    },
  };
}
