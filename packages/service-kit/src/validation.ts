import type { FieldError } from '@storefront/contracts';
import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { notFound, Problem } from './problem.ts';

const partNames: Record<string, FieldError['in']> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'header',
};

/** Checks one part of a request against its zod schema and names every wrong field at once. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const part = partNames[httpPart ?? 'body'] ?? 'body';
  return (value: unknown) => {
    const checked = schema.safeParse(value);
    if (checked.success) return { value: checked.data };
    // A malformed id on a path names nothing: the same answer as an id that does not exist.
    if (part === 'path') return { error: notFound() };
    return {
      error: new Problem(400, 'validation_failed', 'The request has fields that are not valid.', {
        errors: checked.error.issues.flatMap((issue) => fieldErrors(issue, part)),
      }),
    };
  };
};

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
