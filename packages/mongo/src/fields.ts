import type { Event } from '@storefront/contracts';
import mongoose from 'mongoose';

const { Mixed } = mongoose.Schema.Types;

/** One field of a stored document: what mongoose takes in a schema, and the type of the value. */
export interface Field<Value> {
  readonly type: unknown;
  readonly required: true;
  readonly isNullable: boolean;
  /** For types only: mongoose infers the type of the value from it. */
  readonly __rawDocTypeHint: Value;
}

/** A field that a document may lack. */
export interface OptionalField<Value> extends Omit<Field<Value>, 'required'> {
  readonly required: false;
  readonly isOptional: true;
  /** For mongoose, which would otherwise infer that the value may be null. */
  readonly allowNull: false;
}

export type Fields = Readonly<Record<string, Field<unknown> | OptionalField<unknown>>>;

/** The type of an object with these fields. */
export type ObjectOf<Shape> = mongoose.InferRawDocTypeWithout_id<Shape>;

type ValueOf<Of> = Of extends Field<infer Value> ? Value : never;

/** Any string, also an empty one. */
export const text = () => field<string>({ type: String });

export const number = () => field<number>({ type: Number });

export const integer = () => field<number>({ type: Number, isInteger: true });

export const boolean = () => field<boolean>({ type: Boolean });

export const date = () => field<Date>({ type: Date });

/** One of these words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Field<Word> {
  return field<Word>({ type: String, enum: [...words] });
}

/** An object inside the document; no field besides these may be stored. */
export function object<const Shape extends Fields>(shape: Shape): Field<ObjectOf<Shape>> {
  return field<ObjectOf<Shape>>({ type: schemaOf(shape) });
}

export function arrayOf<Element extends Field<unknown>>(element: Element): Field<ValueOf<Element>[]> {
  return field<ValueOf<Element>[]>({ type: [element] });
}

/** An object with any names, whose values are all of one type. */
export function recordOf<Element extends Field<unknown>>(element: Element): Field<Record<string, ValueOf<Element>>> {
  return field<Record<string, ValueOf<Element>>>({ type: Map, of: element });
}

/** Data whose shape is defined elsewhere. It is stored as it is, and not checked. */
export function mixed<Value = unknown>(): Field<Value> {
  return field<Value>({ type: Mixed });
}

/** The field is always there; its value may be null. */
export function orNull<Value>(of: Field<Value>): Field<Value | null> {
  // In mongoose a required value is never null; in the types a required field is always there.
  return { ...of, required: false, isNullable: true } as unknown as Field<Value | null>;
}

/** The field may be missing; its value is null only where `of` is `orNull(...)`. */
export function optional<Value>(of: Field<Value>): OptionalField<Value> {
  return { ...of, required: false, isOptional: true, allowNull: of.isNullable as false };
}

/** The fields of every document that a repository without events keeps. */
export const versioned = { version: integer() };

/** The fields of every document that a repository with events keeps. */
export const withEvents = {
  ...versioned,
  outbox: arrayOf<Field<Event>>(
    object({
      specversion: oneOf(['1.0']),
      id: text(),
      source: text(),
      type: text(),
      subject: text(),
      sequence: integer(),
      time: text(),
      dataschema: text(),
      datacontenttype: oneOf(['application/json']),
      correlationid: optional(text()),
      traceparent: optional(text()),
      data: mixed(),
    }),
  ),
  deletedAt: optional(date()),
};

/** The mongoose schema of an object with these fields. */
export function schemaOf(shape: Fields, options: mongoose.SchemaOptions = { _id: false }): mongoose.Schema {
  return new mongoose.Schema(shape, {
    ...options,
    id: false,
    strict: 'throw',
    // No document is ever a mongoose one.
    suppressReservedKeysWarning: true,
  });
}

function field<Value>(options: { readonly type: unknown } & Readonly<Record<string, unknown>>): Field<Value> {
  return { ...options, required: true, isNullable: false } as unknown as Field<Value>;
}
