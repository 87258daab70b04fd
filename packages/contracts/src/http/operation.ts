import type { z } from 'zod';
import type { DeclaredError } from '../errors/refusal.ts';
import type { Scope } from '../scope.ts';
import type { StaffRole } from '../staff.ts';

/**
 * Who may call an operation: everybody, logged-in users, approved trade accounts, staff with one of the operation's
 * `roles`, or administrators alone. A `system` operation is only for the gateway itself and can't be reached from outside.
 */
export type Access = 'public' | 'user' | 'trade' | 'staff' | 'admin' | 'system';

/**
 * The role of a limited session. `applicant`: a trade applicant who has to add something to the application.
 * `enrolling`: a member of the staff who first has to set up a second factor.
 */
export type LimitedRole = (typeof limitedRoles)[number];

export const limitedRoles = ['applicant', 'enrolling'] as const;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One successful answer of an operation. */
export interface ResponseSpec {
  /** A few words about the answer. The default is the name of the status. */
  readonly description?: string;
  /** The schema of the JSON body. Without `body` and `contentType` the answer has no body. */
  readonly body?: z.ZodType;
  /** The schema of the JSON body in the API document, where it says more than the one by which answers are written. */
  readonly described?: z.ZodType;
  /**
   * The media types of a body that is not JSON, such as `text/event-stream`. If `body` is set too, the answer may also
   * be JSON.
   */
  readonly contentType?: string | readonly string[];
  /** The schema of each event of a `text/event-stream`. `data` is described as what its JSON says. */
  readonly event?: z.ZodType;
  /**
   * Headers by name, each with a description. Headers that follow from the operation (`ETag`) are added automatically.
   */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A body whose bytes the handler gets. */
export interface RawBodySpec {
  /** The media types that are taken. `image/*` stands for that of any picture. */
  readonly contentTypes: readonly ('application/json' | 'text/csv' | 'image/*')[];
  /** JSON has to be a list. */
  readonly isList?: true;
  readonly maxBytes: number;
  /** How many bytes of such bodies a process holds at once. What is beyond is answered 503 before it is read. */
  readonly maxBytesAtOnce: number;
}

/**
 * One operation of the API. The routes, the gateway, the API document, the tests and the reference pages are made from
 * it.
 */
export interface OperationSpec {
  /** The OpenAPI `operationId`. */
  readonly id: string;
  readonly method: Method;
  /** As in OpenAPI: `/v1/customers/{id}`. */
  readonly path: `/${string}`;
  readonly access: Access;
  /**
   * Staff besides administrators, who always count too. Of a `staff` operation they are those who may call it. Of a
   * `public` or `user` operation they may do more than others, which its description says: its handler gets
   * `request.asStaff`. Without `roles` staff count as everybody else there, administrators too.
   */
  readonly roles?: readonly Exclude<StaffRole, 'admin'>[];
  /** What an API token needs to call the operation, which it then does as staff. Without a scope no API token can. */
  readonly scope?: Scope;
  /**
   * Limited sessions that may call the operation too. By default they may call only public operations, as if not logged
   * in.
   */
  readonly alsoFor?: readonly LimitedRole[];
  /**
   * A public operation whose answer depends on the caller, such as prices for trade accounts. A token that is not valid
   * is ignored, as on every public operation; the answer says so.
   */
  readonly optionalToken?: true;
  /**
   * In place of a token, the query may have a `ticket` of `createStreamTicket`: for the `EventSource` of browsers, which
   * can't send a header. The gateway takes the ticket out of the query.
   */
  readonly ticket?: true;
  /**
   * How many seconds browsers and shared caches may keep the answer to callers without a token; with `optionalToken` alone
   * it is also that for callers with one. Such answers are compressed, and a GET accepts `If-None-Match`.
   */
  readonly publicSeconds?: number;
  /**
   * Only pages of the API's own origin may call the operation, because it acts on a cookie. The gateway refuses everybody
   * else.
   */
  readonly sameOrigin?: true;
  /** The operation accepts `Idempotency-Key`. */
  readonly idempotent?: true;
  /**
   * The resource has a version: answers have an `ETag`, a GET accepts `If-None-Match`, and a change accepts `If-Match`.
   * `weak`: the answer also contains data that changes without a new version, so a GET does not accept `If-None-Match`.
   */
  readonly versioned?: true | 'weak';
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Request headers that only this operation reads, by lower-case name. The gateway forwards them. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** A request without a body counts as one with `{}`: for operations that do the same for everybody who gives no reason. */
  readonly optionalBody?: true;
  /** The body may also be sent as JSON with the type `text/plain`, as browsers do when a page is closed. */
  readonly alsoAsText?: true;
  /**
   * The fields of a form that may be sent instead of JSON, urlencoded or multipart, as browsers and mail programs send
   * it; at most 4 KiB. The content of the form is ignored, and the form may be missing. All other operations answer 415
   * to a form.
   */
  readonly form?: z.ZodObject;
  /**
   * The handler gets the raw bytes of the body as a Buffer: of a file, or to check a signature over them. The body is
   * not parsed or checked before. It may be larger than the body of other operations. Can't be combined with `body` or
   * `form`.
   */
  readonly rawBody?: RawBodySpec;
  /**
   * How many milliseconds the service may take to begin its answer, where that is more than the gateway usually waits.
   */
  readonly takesMs?: number;
  /** The successful answers by status: a schema for JSON, null for no content, or a `ResponseSpec`. */
  readonly responses: Readonly<Record<number, z.ZodType | ResponseSpec | null>>;
  /** The errors of this operation only. `errorsOf` adds those that every operation of its kind has. */
  readonly errors?: readonly DeclaredError[];
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /**
   * The rate limit, if it is not the usual one.
   * `auth`: far fewer requests a minute are allowed, because passwords and codes could be guessed here.
   * `refresh`: a much larger separate budget, which other requests do not use up. Guessing is hopeless here.
   * `callbacks`: a large separate budget too, because one address sends hundreds of signed requests a second.
   * `ending`: for ending sessions; never answered 429. If the user's budget is used up, it is delayed by a second.
   */
  readonly budget?: 'auth' | 'refresh' | 'callbacks' | 'ending';
  /** The answer stays open until the client or the service closes it. */
  readonly stream?: true;
  /** The gateway answers the operation itself. It checks no token and counts the request in no budget. */
  readonly gateway?: true;
}

/**
 * Declares an operation. Throws if its path and `params` do not have the same parameters in the same order, if it names
 * `roles` although its access leaves no room for them, or none although its access asks for them, and if it has a `scope`
 * although staff may do no more with it than others.
 */
export function operation<const Spec extends OperationSpec>(spec: Spec): Spec {
  const inPath = [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const inParams = Object.keys(spec.params?.shape ?? {});
  if (inPath.join() !== inParams.join())
    throw new Error(`${spec.id}: the path has the parameters [${inPath.join()}], params has [${inParams.join()}]`);
  const mayHaveRoles = spec.access === 'staff' || spec.access === 'user' || spec.access === 'public';
  if (spec.roles ? !mayHaveRoles : spec.access === 'staff')
    throw new Error(`${spec.id}: its access ${spec.access} does not go with its roles`);
  if (spec.scope !== undefined && spec.access !== 'admin' && !spec.roles)
    throw new Error(`${spec.id}: a scope is for operations of staff`);
  return spec;
}

/** The header of an answer that a valid token could have changed, to a request whose token was ignored. */
export const tokenIgnoredHeader = 'x-token-ignored';

/** The media types of forms. */
export const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data'] as const;
/** The largest form, in bytes. */
export const maxFormBytes = 4096;

/**
 * Whether answers of the operation carry an `ETag`. A deletion usually returns no resource. A deletion that does return
 * one must list the header itself.
 */
export function sendsETag({ versioned, method, publicSeconds }: OperationSpec): boolean {
  return (versioned !== undefined && method !== 'DELETE') || publicSeconds !== undefined;
}

/** Whether the operation accepts `If-None-Match`, and so may answer 304. */
export function takesIfNoneMatch({ versioned, method, publicSeconds }: OperationSpec): boolean {
  return (versioned === true && method === 'GET') || publicSeconds !== undefined;
}

/** Whether the operation accepts `If-Match`: it changes an existing resource. */
export function takesIfMatch({ versioned, method, responses }: OperationSpec): boolean {
  return versioned !== undefined && method !== 'GET' && !(201 in responses);
}

/** The operations by their ids. */
export type ById<Specs extends readonly OperationSpec[]> = { readonly [Spec in Specs[number] as Spec['id']]: Spec };

/** Groups operations by their ids. Throws if two have the same id. */
export function operationsOf<const Specs extends readonly OperationSpec[]>(...specs: Specs): ById<Specs> {
  const byId = Object.fromEntries(specs.map((spec) => [spec.id, spec]));
  assertUnique(specs.map(({ id }) => id));
  return byId as ById<Specs>;
}

/** Operations by their ids. */
export type Operations = Readonly<Record<string, OperationSpec>>;

type Merged<Groups extends readonly Operations[]> = Groups extends readonly [
  infer First,
  ...infer Rest extends readonly Operations[],
]
  ? First & Merged<Rest>
  : unknown;

/** Joins several groups of operations. Throws if two operations have the same id. */
export function mergeOperations<const Groups extends readonly Operations[]>(...groups: Groups): Merged<Groups> {
  assertUnique(groups.flatMap((group) => Object.keys(group)));
  return Object.assign({}, ...groups) as Merged<Groups>;
}

function assertUnique(ids: readonly string[]): void {
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw new Error(`two operations have the id ${repeated}`);
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

export type ParamsOf<Spec extends OperationSpec> = Output<Spec['params']>;
export type QueryOf<Spec extends OperationSpec> = Output<Spec['query']>;
export type BodyOf<Spec extends OperationSpec> = Spec extends { readonly rawBody: object }
  ? Buffer
  : Output<Spec['body']>;

type JsonOf<Response> = Response extends z.ZodType
  ? z.input<Response>
  : Response extends { readonly body: z.ZodType }
    ? z.input<Response['body']>
    : null | undefined | void;

/** The answers that a handler of the operation may return. */
export type AnswerOf<Spec extends OperationSpec> = JsonOf<Spec['responses'][keyof Spec['responses']]>;
