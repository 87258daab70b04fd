import { z } from 'zod';
import { idSchema, newId } from './ids.ts';

/**
 * A fact that a service publishes to the others: a CloudEvents 1.0 envelope in structured JSON.
 * It is made before the write that it is about. A retry of that write never changes it.
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
  /** The aggregate's version after the change. Of two facts about it, the one with the higher sequence is newer. */
  readonly sequence: number;
  /** RFC 3339 UTC with milliseconds. */
  readonly time: string;
  readonly dataschema: string;
  readonly datacontenttype: 'application/json';
  /** The id of the request that it results from. */
  readonly correlationid?: string | undefined;
  readonly traceparent?: string | undefined;
  readonly data: Data;
}

/** What the events that result from a request or an event have in common with it. */
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

/** An event of the contract, with its data as a consumer reads it. */
export type EventOf<Contract extends EventContract> = Event<z.output<Contract['data']>>;

/** A fact as a decision states it. The aggregate's version and the cause are added when it is stored. */
export interface Fact<Data = unknown> {
  readonly type: string;
  readonly source: string;
  readonly dataschema: string;
  readonly subject: string;
  readonly data: Data;
  /** The event's id, of a fact that may be stated again: consumers then take it for the same event. */
  readonly id?: string;
}

/** Declares an event. Only optional fields may be added to its data. A breaking change is a new event. */
export function defineEvent<const Type extends `${string}.${string}`, Schema extends z.ZodType>(
  type: Type,
  description: string,
  data: Schema,
): EventContract<Schema, Type> {
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

/** The envelope of a received event. Its data is not checked yet. */
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
