import { z } from 'zod';
import { commonErrors } from '../../errors/common.ts';
import { idSchema } from '../../ids.ts';
import { line, page, pageQuery, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';

const deadLetter = z
  .object({
    position: z.int().meta({
      description: '1 for the oldest one. It becomes smaller when older ones are replayed, dropped or expire.',
    }),
    queue: z.string().meta({ description: 'The queue that it comes from, and goes back to.' }),
    reason: z.string().meta({ description: 'Why it was given up.' }),
    attempts: z.int(),
    firstSeenAt: timestamp.nullable().meta({ description: 'null where it is not known.' }),
    deadSince: timestamp.nullable().meta({ description: 'null where it is not known.' }),
    event: z
      .object({ id: z.string(), type: z.string(), subject: z.string(), time: timestamp })
      .nullable()
      .meta({ description: 'The event without its data, which may be personal; null where it can not be read.' }),
  })
  .meta({ id: 'DeadLetter' });
export type DeadLetterBody = z.infer<typeof deadLetter>;

const filters = {
  queue: line(100)
    .optional()
    .meta({ description: 'Only those from this queue.', examples: ['engagement.on-user-registered'] }),
  event: idSchema('evt').optional().meta({ description: 'Only this event.' }),
  about: line(200)
    .optional()
    .meta({
      description: 'Only those with this text anywhere in them, such as the id or the email of an erased user.',
      examples: ['usr_01JV7Q8Z5N3W4X6Y7Z8A9B0C1D'],
    }),
};

export const deadLetterQuery = z.strictObject({ ...pageQuery, ...filters });
export const deadLetterPage = page(deadLetter).meta({ id: 'DeadLetterPage' });

const isSelective = [
  (selection: object) => Object.values(selection).some((value) => value !== undefined),
  { error: 'must name queue, event or about, or say all' },
] as const;

export const deadLetterSelection = z
  .strictObject({
    ...filters,
    all: z
      .literal(true)
      .optional()
      .meta({ description: 'Every one that the other fields leave; required without any.' }),
  })
  .refine(...isSelective)
  .meta({ id: 'DeadLetterSelection', examples: [{ queue: 'engagement.on-user-registered' }] });

const tags = ['dead letters'];
const errors = [commonErrors.brokerUnavailable];

export const deadLetterOperations = operationsOf(
  operation({
    id: 'listDeadLetters',
    method: 'GET',
    path: '/v1/dead-letters',
    access: 'admin',
    tags,
    summary: 'List the events that a service could not handle',
    description:
      'The oldest first. They are kept for 30 days. Positions change while others are replayed or dropped, so a page may leave ' +
      'some out then: begin again.',
    query: deadLetterQuery,
    responses: { 200: deadLetterPage },
    errors,
  }),
  operation({
    id: 'replayDeadLetters',
    method: 'POST',
    path: '/v1/dead-letters/replay',
    access: 'admin',
    tags,
    summary: 'Send dead letters back to the queues that they come from',
    description:
      'They count as new there. Repeated after an interruption it sends the others; what was sent twice takes effect once.',
    body: deadLetterSelection,
    responses: { 200: z.object({ replayed: z.int() }).meta({ id: 'DeadLettersReplayed' }) },
    errors,
  }),
  operation({
    id: 'dropDeadLetters',
    method: 'POST',
    path: '/v1/dead-letters/drop',
    access: 'admin',
    tags,
    summary: 'Delete dead letters for good',
    description: 'What they say never happens then. Repeated after an interruption it deletes the others.',
    body: deadLetterSelection,
    responses: { 200: z.object({ dropped: z.int() }).meta({ id: 'DeadLettersDropped' }) },
    errors,
  }),
);
