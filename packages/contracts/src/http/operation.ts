import type { z } from 'zod';
import type { DeclaredError } from '../errors/refusal.ts';

/**
 * Who may call an operation: everybody; logged-in users; approved trade accounts; administrators. `system` is for the
 * gateway itself: it can't be reached from outside.
 */
export type Access = 'public' | 'user' | 'trade' | 'admin' | 'system';

/**
 * The role of a limited session: that of a trade applicant who has to add something, and that of an
 * administrator who has to set up a second factor first.
 */
export type LimitedRole = (typeof limitedRoles)[number];

export const limitedRoles = ['applicant', 'enrolling'] as const;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One answer of an operation that is no error. */
export interface ResponseSpec {
  /** In a few words; without it, the name of the status. */
  readonly description?: string;
  /** The schema of its JSON. Without it, and without `contentType`, the answer has no body. */
  readonly body?: z.ZodType;
  /** The media type, or types, of a body that is not JSON, such as `text/event-stream`; besides JSON where `body` is there. */
  readonly contentType?: string | readonly string[];
  /** Headers by name, each with its description, besides those that follow from the operation (`ETag`). */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One operation of the API: routes, gateway, API document, tests and reference pages are made from it. */
export interface OperationSpec {
  /** The OpenAPI `operationId`. */
  readonly id: string;
  readonly method: Method;
  /** As in OpenAPI: `/v1/customers/{id}`. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** Limited sessions that may call it too; by default they may call public operations only, as nobody. */
  readonly alsoFor?: readonly LimitedRole[];
  /** A public operation whose answer depends on the caller, such as prices for trade accounts. */
  readonly optionalToken?: true;
  /** It takes `Idempotency-Key`. */
  readonly idempotent?: true;
  /**
   * The resource has a version: answers carry `ETag`, a GET takes `If-None-Match`, a change `If-Match`. `weak`: the
   * answer also holds data that changes without a new version, so a GET takes no `If-None-Match`.
   */
  readonly versioned?: true | 'weak';
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Request headers that only this operation takes, by lower-case name: the gateway forwards them. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** The JSON of `body` may come as `text/plain` too, as browsers send it when a page ends. */
  readonly alsoAsText?: true;
  /**
   * The fields of a form that it takes in place of JSON, urlencoded or multipart, as browsers and mail programs send it: 4 KiB at
   * most. Nobody looks at what it holds, and it may be left out. Any other operation answers 415 to a form.
   */
  readonly form?: z.ZodObject;
  /**
   * The handler gets the bytes of the body as a Buffer, for signatures over them; nothing has looked at them. The body may be
   * larger than that of other operations. Not together with `body` or `form`.
   */
  readonly rawBody?: { readonly contentType: 'application/json'; readonly maxBytes: number };
  /** By status: a schema for JSON, null for no content, or a `ResponseSpec`. */
  readonly responses: Readonly<Record<number, z.ZodType | ResponseSpec | null>>;
  /** Its own errors. `errorsOf` adds those that every operation of its kind has. */
  readonly errors?: readonly DeclaredError[];
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /**
   * `auth`: passwords and codes could be guessed here, so far fewer requests a minute are allowed.
   * `refresh`: a far larger budget of its own, which nobody uses up by other requests; guesses can't hit here.
   * `callbacks`: one address sends them by the hundred a second, signed, so it has a large budget of its own too.
   * `ending`: ends sessions, and is never answered 429: it waits a second where the budget of its user is used up.
   */
  readonly budget?: 'auth' | 'refresh' | 'callbacks' | 'ending';
  /** The answer stays open until the client or the service ends it. */
  readonly stream?: true;
  /** The gateway answers it itself: it looks at no token and counts it in no budget. */
  readonly gateway?: true;
}

/** Declares an operation. Throws where its path and `params` do not name the same parameters. */
export function operation<const Spec extends OperationSpec>(spec: Spec): Spec {
  const inPath = [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const inParams = Object.keys(spec.params?.shape ?? {});
  if (inPath.join() !== inParams.join())
    throw new Error(`${spec.id}: the path has the parameters [${inPath.join()}], params has [${inParams.join()}]`);
  return spec;
}

/** The media types of forms. */
export const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data'] as const;
/** The largest form, in bytes. */
export const maxFormBytes = 4096;

/** Whether its answers carry `ETag`. A deletion answers no resource; one that does names the header itself. */
export function sendsETag({ versioned, method }: OperationSpec): boolean {
  return versioned !== undefined && method !== 'DELETE';
}

/** Whether it takes `If-None-Match`, and so may answer 304. */
export function takesIfNoneMatch({ versioned, method }: OperationSpec): boolean {
  return versioned === true && method === 'GET';
}

/** Whether it takes `If-Match`: it changes a resource that is there already. */
export function takesIfMatch({ versioned, method, responses }: OperationSpec): boolean {
  return versioned !== undefined && method !== 'GET' && !(201 in responses);
}

/** The operations by their ids. */
export type ById<Specs extends readonly OperationSpec[]> = { readonly [Spec in Specs[number] as Spec['id']]: Spec };

/** Operations by their ids. Throws where two have the same id. */
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

/** The operations of several groups as one. Throws where two have the same id. */
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

/** What a handler of the operation may answer. */
export type AnswerOf<Spec extends OperationSpec> = JsonOf<Spec['responses'][keyof Spec['responses']]>;
