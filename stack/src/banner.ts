import type { Stack } from './stack.ts';

/** The text that is printed after the start: all addresses, the accounts, and commands to try. */
export function bannerOf(stack: Stack, dataDir: string, seconds: number): string {
  const addresses: [string, string][] = [
    ...(stack.storefront ? [['Shop', `${stack.storefront}  (examples/storefront)`] as [string, string]] : []),
    ...stack.gateways.map((url, at): [string, string] => [at === 0 ? 'API' : `API ${at + 1}`, url]),
    ['Docs', stack.docs],
    ...(stack.console ? [['Console', stack.console] as [string, string]] : []),
    ['Mailbox', stack.mailbox ?? stack.backing.mail],
    ...(stack.payments.demo ? [['Payments', stack.payments.demo.url] as [string, string]] : []),
    ['MongoDB', stack.backing.mongodb],
    ['Broker', stack.backing.broker],
    ['Data', dataDir],
  ];
  const { admin, trade, retail, ...staff } = stack.accounts;
  const accounts = Object.entries({ admin, ...staff, trade, retail }).flatMap(([role, account]): [string, string][] =>
    account ? [[role, `${account.email}  ${account.password}`]] : [],
  );
  return [
    '',
    `Ready after ${seconds.toFixed(1)} s.`,
    '',
    ...table(addresses),
    '',
    'Accounts',
    ...table(accounts),
    '',
    'Try it: log in, then send the accessToken as "Authorization: Bearer …"',
    `  ${loginCommand(stack)}`,
    '',
    ...(stack.cart
      ? ['What comes off a cart, and why other campaigns do not apply', `  ${evaluationCommand(stack, stack.cart)}`, '']
      : []),
    ...(stack.hasHistory ? ['A year of sales by month, as CSV', `  ${reportCommand(stack)}`, ''] : []),
    '',
  ].join('\n');
}

function table(rows: readonly [string, string][]): string[] {
  return rows.map(([name, value]) => `  ${name.padEnd(9)} ${value}`);
}

function loginCommand(stack: Stack): string {
  const { email, password } = stack.accounts.retail ?? stack.accounts.admin;
  return postCommand(stack, '/v1/auth/login', { email, password });
}

function evaluationCommand(stack: Stack, cart: object): string {
  return postCommand(stack, '/v1/discounts/evaluate', cart);
}

/** A command that reads a sales report of the last year as the administrator. */
function reportCommand(stack: Stack): string {
  const from = new Date();
  from.setUTCFullYear(from.getUTCFullYear() - 1);
  const query = `interval=month&from=${from.toISOString().slice(0, 10)}&format=csv`;
  const { email, password } = stack.accounts.admin;
  const logIn = postCommand(stack, '/v1/auth/login', { email, password });
  const token = String.raw`$(${logIn} | sed 's/.*"accessToken":"\([^"]*\)".*/\1/')`;
  return `curl -s '${stack.gateways[0]}/v1/analytics/reports/sales?${query}' -H "authorization: Bearer ${token}"`;
}

/** A command for a POSIX shell that sends a POST request. */
function postCommand({ gateways }: Stack, path: string, content: object): string {
  const body = JSON.stringify(content).replaceAll("'", String.raw`'\''`);
  return `curl -s ${gateways[0]}${path} -H 'content-type: application/json' -d '${body}'`;
}
