import type { z } from 'zod';
import type { FieldError } from '../problem.ts';

/** Why something is refused, in terms of no protocol; `http/statuses.ts` gives each kind its HTTP status. */
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
  /** How long to wait before the next try, in seconds. */
  readonly retryAfterSeconds?: number | undefined;
  /** What the answer says besides what every problem says (RFC 9457, extension members); the error declares them. */
  readonly members?: Readonly<Record<string, unknown>> | undefined;
}

/** Refuses a request. Thrown by the domain and by everything around it; becomes an RFC 9457 answer. */
export class Refusal extends Error implements More {
  override readonly name = 'Refusal';
  /** Stable, snake_case, for programs. */
  readonly code: string;
  readonly kind: ErrorKind;
  /** How to authenticate (RFC 9110, `WWW-Authenticate`); for the kind `unauthenticated`. */
  readonly challenge: string | undefined;
  readonly fields: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly members: Readonly<Record<string, unknown>> | undefined;

  /** `detail` is for the developer who reads the answer; it must hold nothing secret. */
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

  /** The same refusal with the wrong fields, the time to wait, or the members of its answer. */
  with(more: More): Refusal {
    const { fields, retryAfterSeconds, members } = this;
    return new Refusal(this, this.message, { fields, retryAfterSeconds, members, ...more });
  }
}

/** An error that an API can answer. Call it to get the refusal to throw. */
export interface DeclaredError<Details extends readonly unknown[] = readonly never[]> {
  (...details: Details): Refusal;
  readonly code: string;
  readonly kind: ErrorKind;
  /** What its answer has besides what every problem has. */
  readonly members: z.ZodObject | undefined;
  /** The refusal with details as they might be, for the API document. */
  example(): Refusal;
}

interface ErrorSpec {
  readonly kind: ErrorKind;
  /** A sentence, or a function that makes one. */
  readonly detail: string | ((...details: never[]) => string);
  /** Details, and wrong fields, as they might be. */
  readonly example?: readonly (string | number)[];
  readonly exampleFields?: readonly FieldError[];
  /** What its answer has besides what every problem has, and an example; throw it with `members`. */
  readonly members?: z.ZodObject;
  readonly exampleMembers?: Readonly<Record<string, unknown>>;
  /** A function takes what `detail` takes. */
  readonly challenge?: string | ((...details: never[]) => string);
  /** How long to wait where the refusal itself does not say; 1 s for the kind `unavailable`. */
  readonly retryAfterSeconds?: number;
}

type DetailsOf<Spec extends ErrorSpec> = Spec['detail'] extends (...details: infer Details) => string ? Details : [];

export type DeclaredErrors<Specs extends Readonly<Record<string, ErrorSpec>>> = {
  readonly [Name in keyof Specs]: DeclaredError<DetailsOf<Specs[Name]>>;
};

/**
 * Declares the errors of a service once, for the code that throws them, the API document and the tests. The code is the
 * name in snake_case: `slugTaken` has the code `slug_taken`. Throws where a detail is a function without an example.
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
