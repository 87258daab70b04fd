import { z } from 'zod';

/** One wrong field of a request. */
export const fieldError = z.object({
  pointer: z.string().meta({
    description: 'An RFC 6901 pointer to the field; outside the body, its name after a slash.',
    examples: ['/email'],
  }),
  in: z.enum(['body', 'query', 'path', 'header']),
  code: z.string().meta({ description: 'Stable, for programs.', examples: ['unknown_field'] }),
  message: z.string().meta({ description: 'For people.', examples: ['This field is not known here.'] }),
});

export type FieldError = z.infer<typeof fieldError>;

/** An error answer: RFC 9457 `application/problem+json` with a stable code. */
export const problem = z
  .object({
    type: z.string().meta({
      format: 'uri-reference',
      description: 'The address of what to do about it, at the API itself.',
      examples: ['/docs/guides/errors#validation_failed'],
    }),
    title: z.string().meta({ description: 'The name of the status.', examples: ['Bad Request'] }),
    status: z.int().meta({ examples: [400] }),
    detail: z.string().meta({ description: 'For people.', examples: ['The request has fields that are not valid.'] }),
    instance: z.string().meta({ description: 'The path of the request.', examples: ['/v1/customers'] }),
    code: z.string().meta({ description: 'Stable, for programs.', examples: ['validation_failed'] }),
    requestId: z.string().meta({ description: 'The request in the logs; also the header `X-Request-Id`.' }),
    errors: z
      .array(fieldError)
      .optional()
      .meta({ description: 'Every wrong field of the request; the first of them where there are very many.' }),
    moreErrors: z
      .int()
      .optional()
      .meta({
        description: 'How many wrong fields there are besides those in `errors`; absent where all of them are named.',
        examples: [12],
      }),
  })
  .meta({ id: 'Problem' });

export type ProblemBody = z.infer<typeof problem>;
