import type { Stack } from './stack.ts';

/** The text for people after the start: all addresses, the accounts, and a command to try. */
export function bannerOf(stack: Stack, dataDir: string, seconds: number): string {
  const addresses: [string, string][] = [
    ...stack.gateways.map((url, at): [string, string] => [at === 0 ? 'API' : `API ${at + 1}`, url]),
    ['Docs', stack.docs],
    ['Mailbox', stack.mailbox ?? stack.backing.mail],
    ['MongoDB', stack.backing.mongodb],
    ['Broker', stack.backing.broker],
    ['Data', dataDir],
  ];
  const { admin, trade, retail } = stack.accounts;
  const accounts = Object.entries({ admin, trade, retail }).flatMap(([role, account]): [string, string][] =>
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
    '',
  ].join('\n');
}

function table(rows: readonly [string, string][]): string[] {
  return rows.map(([name, value]) => `  ${name.padEnd(8)} ${value}`);
}

/** A login as a command for a POSIX shell. */
function loginCommand(stack: Stack): string {
  const { email, password } = stack.accounts.retail ?? stack.accounts.admin;
  const body = JSON.stringify({ email, password }).replaceAll("'", String.raw`'\''`);
  return `curl -s ${stack.gateways[0]}/v1/auth/login -H 'content-type: application/json' -d '${body}'`;
}
