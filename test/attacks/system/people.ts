import { randomBytes } from 'node:crypto';
import { staffRoles, type StaffRole } from '@storefront/contracts';
import { codeIn, mailTo, type Mail } from '../../client.ts';
import type { System } from './system.ts';

/** Somebody with an account, and what they hold. */
export interface Person {
  readonly id: string;
  readonly email: string;
  password: string;
  token: string;
  refreshToken: string;
}

/** A password that nobody has used and no list has. */
export function newPassword(system: System): string {
  const password = `quiet ${randomBytes(9).toString('hex')} lake`;
  system.leaks.keepSecret(password);
  return password;
}

export function newEmail(name: string): string {
  return `${name}.${randomBytes(5).toString('hex')}@example.com`;
}

/** The mail with a code that somebody got. */
async function mailWithCode(system: System, email: string, subject: RegExp): Promise<{ mail: Mail; code: string }> {
  const mail = await mailTo(system.mailbox, email, subject);
  const code = codeIn(mail);
  system.leaks.keepSecret(code);
  return { mail, code };
}

/** A consumer who has proved the email and is logged in. */
export async function signUp(system: System, name: string): Promise<Person> {
  const email = newEmail(name);
  const password = newPassword(system);
  const body = { email, password, firstName: `First ${name}`, lastName: `Last ${name}` };
  const { registrationId } = await expectStatus(system.call('POST', '/v1/auth/register', { body }), 202);
  const { code } = await mailWithCode(system, email, /code|confirm|verif/i);
  const proof = { registrationId, code };
  return opened(email, password, await expectStatus(system.call('POST', '/v1/auth/verify', { body: proof }), 200));
}

export function tradeApplication(email: string, password: string, businessName = 'Quay Wholesale') {
  return {
    email,
    password,
    firstName: 'Toni',
    lastName: 'Trade',
    phone: '+31 20 123 4567',
    businessName,
    businessAddress: 'Pier 4, 1011 AB Amsterdam',
    country: 'NL',
  };
}

/** A business that has applied and proved its email, with the mails that it got. An administrator finds its id. */
export async function applyForTrade(
  system: System,
  admin: Person,
  name: string,
  businessName?: string,
): Promise<{ id: string; email: string; password: string; mails: Mail[] }> {
  const email = newEmail(name);
  const password = newPassword(system);
  const { registrationId } = await expectStatus(
    system.call('POST', '/v1/auth/trade/register', { body: tradeApplication(email, password, businessName) }),
    201,
  );
  const { mail, code } = await mailWithCode(system, email, /code for the trade application/i);
  await expectStatus(system.call('POST', '/v1/auth/verify', { body: { registrationId, code } }), 200);
  const received = await mailTo(system.mailbox, email, /received your trade application/i);
  const list = await system.call('GET', '/v1/trade-accounts?limit=5', { token: admin.token });
  const found = list.body.data.find((account: { email: string }) => account.email === email);
  return { id: found.id as string, email, password, mails: [mail, received] };
}

export async function judge(system: System, admin: Person, id: string, verdict: string): Promise<void> {
  const body = { reason: 'It has to be shown.' };
  await expectStatus(system.call('POST', `/v1/trade-accounts/${id}/${verdict}`, { token: admin.token, body }), 200);
}

export async function logIn(system: System, { email, password }: { email: string; password: string }): Promise<Person> {
  const answer = await expectStatus(system.call('POST', '/v1/auth/login', { body: { email, password } }), 200);
  return opened(email, password, answer);
}

/** Gives somebody new tokens in place of those that died. */
export async function logInAgain(system: System, person: Person): Promise<void> {
  const { token, refreshToken } = await logIn(system, person);
  person.token = token;
  person.refreshToken = refreshToken;
}

/** The roles of staff other than administrators. */
export const otherStaff = staffRoles.filter((role): role is Exclude<StaffRole, 'admin'> => role !== 'admin');

/** Somebody for each role of staff other than administrators. */
export async function hireStaff(system: System): Promise<Readonly<Record<(typeof otherStaff)[number], Person>>> {
  const hired = otherStaff.map(async (role) => [role, await hire(system, role)] as const);
  return Object.fromEntries(await Promise.all(hired)) as Awaited<ReturnType<typeof hireStaff>>;
}

/** A member of the staff. An administrator gives a role with a second factor only, and here is none. */
async function hire(system: System, role: StaffRole): Promise<Person> {
  const person = await signUp(system, role);
  const users = system.database('identity').collection<{ _id: string }>('users');
  await users.updateOne({ _id: person.id }, { $set: { role }, $inc: { version: 1 } });
  await logInAgain(system, person);
  return person;
}

/** The claims of a token, unchecked. */
export function claimsOf(token: string): Record<string, any> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, any>;
}

/** The body of an answer that has to have this status; otherwise the set-up itself is wrong. */
export async function expectStatus(answer: ReturnType<System['call']>, status: number): Promise<any> {
  const { status: got, text, body } = await answer;
  if (got !== status) throw new Error(`expected ${status}, got ${got}: ${text}`);
  return body;
}

function opened(email: string, password: string, { user, accessToken, refreshToken }: any): Person {
  return { id: user.id, email, password, token: accessToken, refreshToken };
}
