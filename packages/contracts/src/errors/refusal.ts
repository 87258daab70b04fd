import type { z } from 'zod';
import type { FieldError } from '../problem.ts';

/** Why a request is refused, independent of the protocol. `http/statuses.ts` maps each kind to its HTTP status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'absent'
  | 'method'
  | 'slow'
  | 'conflict'
  | 'stale'
  | 'too-large'
  | 'media-type'
  | 'rule'
  | 'throttled'
  | 'headers-too-large'
  | 'internal'
  | 'unavailable';

interface More {
  /** The fields that are wrong. */
  readonly fields?: readonly FieldError[] | undefined;
  /** Seconds to wait before the next try. */
  readonly retryAfterSeconds?: number | undefined;
  /** Additional fields of the error answer (RFC 9457, extension members). The error must declare them. */
  readonly members?: Readonly<Record<string, unknown>> | undefined;
}

/** The refusal of a request. Both the domain and the code around it throw it. It becomes an RFC 9457 answer. */
export class Refusal extends Error implements More {
  override readonly name = 'Refusal';
  /** A stable code in snake_case, for programs. */
  readonly code: string;
  readonly kind: ErrorKind;
  /** How to authenticate, for the header `WWW-Authenticate` (RFC 9110). Only for the kind `unauthenticated`. */
  readonly challenge: string | undefined;
  readonly fields: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly members: Readonly<Record<string, unknown>> | undefined;

  /** `detail` is for the developer who reads the answer. It must not contain anything secret. */
  constructor(
    { code, kind, challenge }: { code: string; kind: ErrorKind; challenge?: string | undefined },
    detail: string,
    more: More = {},
  ) {
    super(detail);
    this.code = code;
    this.kind = kind;
    this.challenge = challenge;
    this.fields = more.fields;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.members = more.members;
  }

  /** Returns the same refusal with wrong fields, the time to wait, or additional members. */
  with(more: More): Refusal {
    const { fields, retryAfterSeconds, members } = this;
    return new Refusal(this, this.message, { fields, retryAfterSeconds, members, ...more });
  }
}

/** An error that the API may answer. Call it to make the refusal to throw. */
export interface DeclaredError<Details extends readonly unknown[] = readonly never[]> {
  (...details: Details): Refusal;
  readonly code: string;
  readonly kind: ErrorKind;
  /** The additional fields of the error answer. */
  readonly members: z.ZodObject | undefined;
  /** The refusal with example details, for the API document. */
  example(): Refusal;
}

interface ErrorSpec {
  readonly kind: ErrorKind;
  /** A sentence, or a function that makes it from details. */
  readonly detail: string | ((...details: never[]) => string);
  /** Example arguments for `detail`, and example fields. */
  readonly example?: readonly (string | number)[];
  readonly exampleFields?: readonly FieldError[];
  /** The additional fields of the error answer, and an example of them. Throw the error with `members`. */
  readonly members?: z.ZodObject;
  readonly exampleMembers?: Readonly<Record<string, unknown>>;
  /** If this is a function, it gets the same arguments as `detail`. */
  readonly challenge?: string | ((...details: never[]) => string);
  /** Seconds to wait, if the refusal itself sets none. The default for the kind `unavailable` is 1 s. */
  readonly retryAfterSeconds?: number;
}

type DetailsOf<Spec extends ErrorSpec> = Spec['detail'] extends (...details: infer Details) => string ? Details : [];

export type DeclaredErrors<Specs extends Readonly<Record<string, ErrorSpec>>> = {
  readonly [Name in keyof Specs]: DeclaredError<DetailsOf<Specs[Name]>>;
};

/**
 * Declares the errors of a service once, for the code that throws them, the API document and the tests. The code is the
 * name in snake_case: `slugTaken` has the code `slug_taken`. Throws if `detail` takes arguments and `example` does not
 * have as many, or if `members` have no valid example.
 */
export function defineErrors<const Specs extends Readonly<Record<string, ErrorSpec>>>(
  specs: Specs,
): DeclaredErrors<Specs> {
  const declared = Object.entries(specs).map(([name, spec]) => [name, declare(name, spec)]);
  return Object.fromEntries(declared) as DeclaredErrors<Specs>;
}

function declare(name: string, spec: ErrorSpec): DeclaredError {
  const { kind, detail, challenge, members, example = [], exampleFields: fields } = spec;
  if (typeof detail === 'function' && detail.length !== example.length) throw new Error(`${name} needs an example`);
  if (members && !members.safeParse(spec.exampleMembers).success) throw new Error(`${name} needs exampleMembers`);
  const code = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const retryAfterSeconds = spec.retryAfterSeconds ?? (kind === 'unavailable' ? 1 : undefined);
  const refuse = (...details: readonly never[]) =>
    new Refusal({ code, kind, challenge: challenge && textOf(challenge, details) }, textOf(detail, details), {
      retryAfterSeconds,
    });
  const exampleOf = () => refuse(...(example as readonly never[])).with({ fields, members: spec.exampleMembers });
  return Object.assign(refuse, { code, kind, members, example: exampleOf });
}

function textOf(text: ErrorSpec['detail'], details: readonly never[]): string {
  return typeof text === 'string' ? text : text(...details);
}
