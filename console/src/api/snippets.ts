import { operations } from 'virtual:operations';

/** A call as somebody would write it: the operation with what it is given. */
export interface Snippet {
  readonly area: string;
  readonly id: string;
  readonly input?: {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, unknown>>;
    readonly body?: unknown;
  };
}

/** The call as a command for a shell. `$TOKEN` stands for an access token or an API token. */
export function asCurl({ id, input = {} }: Snippet): string {
  const { method = 'GET', path = '' } = operations[id] ?? {};
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? name));
  const query = new URLSearchParams(
    Object.entries(input.query ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    ),
  ).toString();
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return [
    `curl -s ${method === 'GET' ? '' : `-X ${method} `}${quoted(`${location.origin}${filled}${query && `?${query}`}`)}`,
    `  -H "authorization: Bearer $TOKEN"`,
    ...(input.body === undefined
      ? []
      : [`  -H 'content-type: application/json'`, `  -d ${quoted(JSON.stringify(input.body))}`]),
  ].join(' \\\n');
}

/** The call as code with `@storefront/client`. */
export function asClientCode({ area, id, input }: Snippet): string {
  const given = input && Object.values(input).some((part) => part !== undefined) ? JSON.stringify(input, null, 2) : '';
  return [
    "import { createAdminClient } from '@storefront/client/admin';",
    '',
    `const shop = createAdminClient({ baseUrl: '${location.origin}', apiToken: process.env.TOKEN });`,
    `const answer = await shop.${area}.${id}(${given});`,
  ].join('\n');
}
