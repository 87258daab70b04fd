import { z } from 'zod';

/** One wrong field of a request. */
export const fieldError = z.object({
  pointer: z.string().meta({
    description: 'RFC 6901 pointer to the field in the body, or its name after a slash.',
    examples: ['/email'],
  }),
  in: z.enum(['body', 'query', 'path', 'header']),
  code: z.string().meta({ examples: ['unknown_field'] }),
  message: z.string(),
});

export type FieldError = z.infer<typeof fieldError>;

/** An error answer: RFC 9457 `application/problem+json` with a stable code. */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.string().meta({ description: 'Stable, for programs.', examples: ['validation_failed'] }),
    requestId: z.string(),
    errors: z.array(fieldError).optional(),
  })
  .meta({ id: 'Problem' });

export type ProblemBody = z.infer<typeof problem>;
