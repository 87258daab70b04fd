import { z } from 'zod';
import { idSchema, newId } from './ids.ts';

/**
 * A fact that one service tells the others: a CloudEvents 1.0 envelope in structured JSON.
 * Made before the write that it tells of; a retry never changes it.
 */
export interface Event<Data = unknown> {
  readonly specversion: '1.0';
  readonly id: string;
  /** The publishing service, such as `identity`. */
  readonly source: string;
  /** Source and fact in the past tense, `identity.user-registered`; also the routing key. */
  readonly type: string;
  /** The id of the aggregate that changed. */
  readonly subject: string;
  /** The aggregate's version after the change: tells a consumer which of two facts is newer. */
  readonly sequence: number;
  /** RFC 3339 UTC with milliseconds. */
  readonly time: string;
  readonly dataschema: string;
  readonly datacontenttype: 'application/json';
  /** The id of the request that caused it. */
  readonly correlationid?: string | undefined;
  readonly traceparent?: string | undefined;
  readonly data: Data;
}

/** What a request or an event hands on to the events that it causes. */
export interface Cause {
  readonly correlationid?: string | undefined;
  readonly traceparent?: string | undefined;
}

/** The contract of one event: its name and the shape of its data. */
export interface EventContract<Schema extends z.ZodType = z.ZodType> {
  readonly type: string;
  readonly source: string;
  readonly version: number;
  readonly description: string;
  readonly data: Schema;
}

/** A fact as a decision states it: the aggregate's version and the cause are added when it is recorded. */
export interface Fact<Data = unknown> {
  readonly type: string;
  readonly source: string;
  readonly dataschema: string;
  readonly subject: string;
  readonly data: Data;
}

/** Declares an event. Data only ever gains optional fields; a breaking change is a new name. */
export function defineEvent<Schema extends z.ZodType>(
  type: `${string}.${string}`,
  description: string,
  data: Schema,
): EventContract<Schema> {
  return { type, source: type.slice(0, type.indexOf('.')), version: 1, description, data };
}

/** States a fact about the aggregate `subject`. */
export function fact<Schema extends z.ZodType>(
  contract: EventContract<Schema>,
  subject: string,
  data: z.input<Schema>,
): Fact<z.input<Schema>> {
  return {
    type: contract.type,
    source: contract.source,
    dataschema: `${contract.type}/v${contract.version}`,
    subject,
    data,
  };
}

/** Puts a fact into its envelope. */
export function toEvent<Data>(
  of: Fact<Data>,
  at: { sequence: number; time: Date; cause?: Cause | undefined },
): Event<Data> {
  return {
    specversion: '1.0',
    id: newId('evt'),
    source: of.source,
    type: of.type,
    subject: of.subject,
    sequence: at.sequence,
    time: at.time.toISOString(),
    dataschema: of.dataschema,
    datacontenttype: 'application/json',
    ...(at.cause?.correlationid ? { correlationid: at.cause.correlationid } : {}),
    ...(at.cause?.traceparent ? { traceparent: at.cause.traceparent } : {}),
    data: of.data,
  };
}

/** The envelope as it comes off the wire; its data is still unknown. */
export const eventEnvelope = z.object({
  specversion: z.literal('1.0'),
  id: idSchema('evt'),
  source: z.string().min(1),
  type: z.string().min(1),
  subject: z.string().min(1),
  sequence: z.int().nonnegative(),
  time: z.iso.datetime(),
  dataschema: z.string(),
  datacontenttype: z.literal('application/json'),
  correlationid: z.string().optional(),
  traceparent: z.string().optional(),
  data: z.unknown(),
});
