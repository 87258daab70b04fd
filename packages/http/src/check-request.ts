import { bodyField, invalidFields, notFound, type FieldError, type OperationSpec } from '@storefront/contracts';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { idempotencyKeyOf } from './idempotency-key.ts';

/** Returns wrong fields that the schema alone can't find. `body` has only the fields that fit their schemas. */
export type BodyCheck = (body: any) => readonly FieldError[];

// Far more values than any valid body of this API has. The limit saves time: each wrong value costs time, and 256 KiB
// can hold 100,000 values.
const maxValues = 5000;

/**
 * Checks a whole request against its operation. One refusal names all wrong fields of body, query and headers. Path,
 * query and body are replaced by the values that their schemas return. A malformed id in the path gets the same 404 as
 * an unknown id.
 */
export function createRequestCheck(
  { params, query, headers, body, optionalBody, idempotent }: OperationSpec,
  check?: BodyCheck,
): (request: FastifyRequest) => void {
  return (request) => {
    if (params) {
      const checked = params.safeParse(request.params);
      if (!checked.success) throw notFound();
      request.params = checked.data;
    }
    const errors: FieldError[] = idempotent && idempotencyKeyOf(request) === null ? [malformedKey] : [];
    if (headers) {
      const checked = headers.safeParse(request.headers);
      if (!checked.success) errors.push(...checked.error.issues.flatMap((issue) => fieldErrors(issue, 'header')));
    }
    if (query) {
      const checked = query.safeParse(request.query);
      const refused = checked.error?.issues.flatMap((issue) => fieldErrors(issue, 'query')) ?? [];
      // zod passes over this name where a query has fields of a pattern.
      if (
        Object.hasOwn(request.query as object, '__proto__') &&
        !refused.some(({ pointer: at }) => at === '/__proto__')
      )
        refused.push(unknownField(['__proto__'], 'query'));
      errors.push(...refused);
      if (checked.success) request.query = checked.data;
    }
    if (body) {
      if (holdsMoreThan(maxValues, request.body)) throw invalidFields([...errors, ...tooManyValues(request.body)]);
      const checked = body.safeParse(request.body === undefined && optionalBody ? {} : request.body);
      const issues = checked.error?.issues.flatMap((issue) => fieldErrors(issue, 'body')) ?? [];
      const refused = check?.(checked.success ? checked.data : readableFields(body, request.body)) ?? [];
      errors.push(...withTextErrors([...issues, ...refused], request.body));
      if (checked.success) request.body = checked.data;
    }
    if (errors.length > 0) throw invalidFields(errors);
  };
}

/** Returns an error for each field with too many values, or for the whole body if no single field has too many. */
function tooManyValues(body: unknown): FieldError[] {
  const large = Object.entries(body ?? {}).filter(([, value]) => holdsMoreThan(maxValues, value));
  const pointers = large.length > 0 ? large.map(([name]) => pointer([name])) : [''];
  return pointers.map((at) => bodyField(at, 'too_big', `must not hold more than ${maxValues} values`));
}

/** Whether a JSON value contains more than `limit` values, including itself and values at any depth. */
function holdsMoreThan(limit: number, json: unknown): boolean {
  const left = [json];
  for (let count = 0; left.length > 0; count += 1) {
    if (count + left.length > limit) return true;
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    const inside: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (inside.length > limit) return true;
    left.push(...inside);
  }
  return false;
}

/** Adds the errors of fields with invalid Unicode. Such an error replaces all other errors of the same field. */
function withTextErrors(errors: readonly FieldError[], body: unknown): FieldError[] {
  const ofTexts = textErrors(body);
  const isElsewhere = ({ pointer: at }: FieldError) => !ofTexts.some((one) => `${at}/`.startsWith(`${one.pointer}/`));
  return [...ofTexts, ...errors.filter(isElsewhere)];
}

/**
 * Returns an error for each field with invalid Unicode at any depth. JSON can contain half of a surrogate pair, such as
 * `"\ud800"`. UTF-8 has no bytes for it, so a different character would be stored.
 */
function textErrors(body: unknown): FieldError[] {
  return Object.entries(body ?? {})
    .filter((field) => !isUnicode(field))
    .map(([name]) => bodyField(pointer([name]), 'invalid_encoding', 'must not contain half of a surrogate pair'));
}

/** Whether every string in a JSON value is valid Unicode, including names of fields. */
function isUnicode(json: unknown): boolean {
  const left = [json];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && !value.isWellFormed()) return false;
    if (typeof value !== 'object' || value === null) continue;
    left.push(...(Array.isArray(value) ? (value as unknown[]) : Object.entries(value).flat()));
  }
  return true;
}

/** Returns the fields of a body that fit their own schemas. */
function readableFields(schema: z.ZodObject, body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(
    Object.entries(schema.shape).flatMap(([name, field]) => {
      if (!Object.hasOwn(body, name)) return [];
      const checked = (field as z.ZodType).safeParse((body as Record<string, unknown>)[name]);
      return checked.success ? [[name, checked.data]] : [];
    }),
  );
}

const malformedKey: FieldError = {
  pointer: '/idempotency-key',
  in: 'header',
  code: 'invalid_value',
  message: 'must be 1 to 255 visible ASCII characters',
};

function fieldErrors(issue: z.core.$ZodIssue, part: FieldError['in']): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownField([...issue.path, key], part));
  }
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  return [
    {
      pointer: pointer(issue.path),
      in: part,
      code: missing ? 'required' : issue.code === 'custom' ? 'invalid_value' : issue.code,
      message: missing ? 'This field is required.' : messageOf(issue),
    },
  ];
}

const units: Readonly<Record<string, readonly [one: string, more: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
};

/** In words that a form can show to people. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return issue.message;
  const bound = issue.code === 'too_small' ? issue.minimum : issue.maximum;
  const bounded = `${issue.code === 'too_small' ? 'at least' : 'at most'} ${bound}`;
  const unit = units[issue.origin];
  if (issue.origin === 'string' && bounded === 'at least 1') return 'must not be empty';
  if (unit) return `must have ${bounded} ${unit[Number(bound) === 1 ? 0 : 1]}`;
  const isNumber = issue.origin === 'number' || issue.origin === 'int';
  return isNumber && issue.inclusive !== false ? `must be ${bounded}` : issue.message;
}

function unknownField(path: readonly PropertyKey[], part: FieldError['in']): FieldError {
  return { pointer: pointer(path), in: part, code: 'unknown_field', message: 'This field is not known here.' };
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
