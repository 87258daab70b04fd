import { newId, type Access, type IdPrefix, type Operations, type OperationSpec } from '@storefront/contracts';
import type { Person } from '../system/people.ts';
import type { Fixtures } from './fixtures.ts';

/** How to attack one operation of the API: who may call it, on what, and what it answers then. */
export interface Row {
  /** `open` is for the gateway's own operations, which do not even look at a token. */
  readonly access: 'open' | Exclude<Access, 'system'>;
  /** Staff besides administrators: those who may call it, or who may do it with what is anybody's, and see all of it. */
  readonly roles?: OperationSpec['roles'];
  /** Limited sessions that may call it too. */
  readonly alsoFor?: readonly 'applicant'[];
  /** The status for whom it is allowed, on what is theirs; with the code where that is a refusal. */
  readonly ok: Ok | ((who: Person, fixtures: Fixtures) => Ok);
  readonly id?: Id;
  readonly body?: (fixtures: Fixtures, who: Person) => unknown;
  /** The bytes of a picture, in place of `body`. */
  readonly picture?: () => Uint8Array<ArrayBuffer>;
  readonly query?: string;
  /** What it is about is somebody's, although it is public: to others it looks absent, as it does where nobody is logged in. */
  readonly ownersAlone?: true;
  /** What it is about ends by other operations too, so that each caller gets a new one. */
  readonly anew?: true;
  /** Consumers are refused, although it is for every user. */
  readonly notForConsumers?: true;
  /** It needs a session that has just proved who is calling. */
  readonly fresh?: true;
  /** The caller's tokens are dead after it. */
  readonly endsTokens?: true;
  /** Called after it was allowed, with the body that was sent. */
  readonly after?: (who: Person, body: unknown, fixtures: Fixtures) => unknown;
}

/** Who has what the operation is about. */
export function ownerOf({ access, notForConsumers }: Row): 'owner' | 'trade' | 'admin' {
  if (access === 'admin' || access === 'staff') return 'admin';
  return access === 'trade' || notForConsumers ? 'trade' : 'owner';
}

/** Whether the caller is one of the staff that the row names; administrators always are, where it names any. */
export function isOfItsStaff({ access, roles }: Row, caller: string): boolean {
  if (caller === 'admin') return access === 'admin' || roles !== undefined;
  return roles?.some((role) => role === caller) ?? false;
}

type Ok = number | readonly [status: number, code: string];

/** What stands in the path for its one parameter, or for each of its parameters in their order. */
export type PathValues = string | readonly string[];

/** The identifiers in the path. */
export interface Id {
  /** A new thing of that person. */
  own(fixtures: Fixtures, who: Person): PathValues | Promise<PathValues>;
  /** Well-formed, and nobody's. */
  random(): PathValues;
  /** The code where it names nothing. */
  readonly missing: string;
}

/**
 * A row for each operation of a service, and for nothing else: tsc fails otherwise. Who may call it is stated here a second
 * time, so that an operation that is opened by mistake fails too.
 */
export type RowsOf<Specs extends Operations> = {
  readonly [Id in keyof Specs]: Row & { readonly access: AccessOf<Specs[Id]> } & RolesOf<Specs[Id]>;
};

type RolesOf<Spec extends OperationSpec> = Spec extends { readonly roles: infer Roles }
  ? { readonly roles: Roles }
  : { readonly roles?: never };

type AccessOf<Spec extends OperationSpec> = Spec extends { readonly gateway: true } ? 'open' : Spec['access'];

/** A TypeID. */
export function id(prefix: IdPrefix, own: Id['own']): Id {
  return { own, random: () => newId(prefix), missing: 'not_found' };
}

/** The same path with another value for one of its parameters: one path for each parameter. */
export function eachReplaced(values: PathValues, by: PathValues): PathValues[] {
  const all = [values].flat();
  return all.map((_value, place) => all.with(place, [by].flat()[place] ?? String(by)));
}

/** What is no identifier of anything, in the forms that attackers try first. */
export const malformedIds = [
  'nonsense',
  'inc_01h455vb4pex5vsknk084sn02q',
  'user_01h455vb4pex5vsknk084sn02',
  'cust_zzzzzzzzzzzzzzzzzzzzzzzzzz',
  'x'.repeat(299),
  'x'.repeat(2000),
  '$ne',
  '__proto__',
  'null',
  '0',
  '-1',
  '1e999',
  '%F0%9F%92%A9',
  "'%20OR%20'1'='1",
  '%7B%22$ne%22:null%7D',
  '%5Bobject%20Object%5D',
  '*',
];
