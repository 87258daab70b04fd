import { z } from 'zod';
import { idSchema, newId } from './ids.ts';

/**
 * A fact that a service publishes to other services: a CloudEvents 1.0 envelope in structured JSON. The event is made
 * before the change is written. If the write is retried, the event stays the same.
 */
export interface Event<Data = unknown> {
  readonly specversion: '1.0';
  readonly id: string;
  /** The publishing service, such as `identity`. */
  readonly source: string;
  /** The source and the fact in the past tense, such as `identity.user-registered`. It is the routing key too. */
  readonly type: string;
  /** The id of the aggregate that changed. */
  readonly subject: string;
  /**
   * The aggregate's version after the change. Of two events about one aggregate, the one with the higher sequence is
   * newer.
   */
  readonly sequence: number;
  /** RFC 3339 UTC with milliseconds. */
  readonly time: string;
  readonly dataschema: string;
  readonly datacontenttype: 'application/json';
  /** The id of the request that caused the event. */
  readonly correlationid?: string | undefined;
  readonly traceparent?: string | undefined;
  readonly data: Data;
}

/** The tracing data of a request or an event. Events that result from it get the same data. */
export interface Cause {
  readonly correlationid?: string | undefined;
  readonly traceparent?: string | undefined;
}

/** The contract of one event: its type and the schema of its data. */
export interface EventContract<Schema extends z.ZodType = z.ZodType, Type extends string = string> {
  readonly type: Type;
  readonly source: string;
  readonly version: number;
  readonly description: string;
  readonly data: Schema;
}

/** An event of the contract, with its data as a consumer gets it. */
export type EventOf<Contract extends EventContract> = Event<z.output<Contract['data']>>;

/** A fact before it becomes an event. The aggregate's version and the cause are added when the fact is stored. */
export interface Fact<Data = unknown> {
  readonly type: string;
  readonly source: string;
  readonly dataschema: string;
  readonly subject: string;
  readonly data: Data;
  /** The id of the event. Set it if the fact may be stated again, so that consumers recognise the same event. */
  readonly id?: string;
}

/** Declares an event. Later, only optional fields may be added to its data. Any other change needs a new event. */
export function defineEvent<const Type extends `${string}.${string}`, Schema extends z.ZodType>(
  type: Type,
  description: string,
  data: Schema,
): EventContract<Schema, Type> {
  return { type, source: type.slice(0, type.indexOf('.')), version: 1, description, data };
}

/** Makes a fact about the aggregate with the id `subject`. */
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

/** Makes an event from a fact. */
export function toEvent<Data>(
  of: Fact<Data>,
  at: { sequence: number; time: Date; cause?: Cause | undefined },
): Event<Data> {
  return {
    specversion: '1.0',
    id: of.id ?? newId('evt'),
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

/** Checks the envelope of a received event, but not its data. */
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
