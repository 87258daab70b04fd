import { invalidFields, notFound } from '@storefront/contracts';
import type { FieldError, OperationSpec } from '@storefront/contracts';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';

/** Names wrong fields that the schema alone can't judge. Gets the fields of a body that fit their schemas. */
export type BodyCheck = (body: any) => readonly FieldError[];

/**
 * Checks a whole request against its operation: every wrong field of body, query and headers is named in one refusal.
 * The parts of the request become what the schemas make of them. A malformed id in the path gets the same 404 as an
 * unknown one.
 */
export function createRequestCheck(
  { params, query, body, idempotent }: OperationSpec,
  check?: BodyCheck,
): (request: FastifyRequest) => void {
  return (request) => {
    if (params) {
      const checked = params.safeParse(request.params);
      if (!checked.success) throw notFound();
      request.params = checked.data;
    }
    const errors: FieldError[] = idempotent ? keyErrors(request.headers['idempotency-key']) : [];
    if (query) {
      const checked = query.safeParse(request.query);
      if (checked.success) request.query = checked.data;
      else errors.push(...checked.error.issues.flatMap((issue) => fieldErrors(issue, 'query')));
    }
    if (body) {
      const checked = body.safeParse(request.body);
      if (!checked.success) errors.push(...checked.error.issues.flatMap((issue) => fieldErrors(issue, 'body')));
      errors.push(...(check?.(checked.success ? checked.data : readableFields(body, request.body)) ?? []));
      if (checked.success) request.body = checked.data;
    }
    if (errors.length > 0) throw invalidFields(errors);
  };
}

/** The fields of a body that fit their own schemas. */
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

function keyErrors(key: string | string[] | undefined): FieldError[] {
  if (key === undefined || (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key))) return [];
  const message = 'must be 1 to 255 visible ASCII characters';
  return [{ pointer: '/idempotency-key', in: 'header', code: 'invalid_value', message }];
}

function fieldErrors(issue: z.core.$ZodIssue, part: FieldError['in']): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      pointer: pointer([...issue.path, key]),
      in: part,
      code: 'unknown_field',
      message: 'This field is not known here.',
    }));
  }
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  return [
    {
      pointer: pointer(issue.path),
      in: part,
      code: missing ? 'required' : issue.code === 'custom' ? 'invalid_value' : issue.code,
      message: missing ? 'This field is required.' : issue.message,
    },
  ];
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
