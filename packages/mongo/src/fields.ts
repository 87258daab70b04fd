import { eventEnvelope } from '@storefront/contracts';
import { z } from 'zod';

/** The fields of a stored object, each with its type. */
export type Fields = Readonly<Record<string, z.ZodType>>;

/** The type of an object with these fields. */
export type ObjectOf<Shape extends Fields> = z.output<z.ZodObject<Shape>>;

// Short names for field types that are declared only in collection definitions.
export const text = () => z.string();
export const number = () => z.number();
export const integer = () => z.int();
export const boolean = () => z.boolean();
export const date = () => z.date();
export const oneOf = <const Word extends string>(words: readonly Word[]) => z.enum(words);
export const object = <const Shape extends Fields>(shape: Shape) => z.object(shape);
export const arrayOf = <Element extends z.ZodType>(element: Element) => z.array(element);
export const recordOf = <Element extends z.ZodType>(element: Element) => z.record(z.string(), element);
/** Data whose shape is defined elsewhere. It is stored unchanged and unchecked. */
export const mixed = <Value = unknown>() => z.custom<Value>();
export const orNull = <Of extends z.ZodType>(of: Of) => z.nullable(of);
export const optional = <Of extends z.ZodType>(of: Of) => z.optional(of);

/** The fields that every document of a repository without events has. */
export const versioned = { version: z.int() };

/** The fields that every document of a repository with events has. */
export const withEvents = { ...versioned, outbox: z.array(eventEnvelope), deletedAt: z.date().optional() };
