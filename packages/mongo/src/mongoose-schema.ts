import { isDeepStrictEqual } from 'node:util';
import mongoose from 'mongoose';
import { z } from 'zod';
import type { Fields } from './fields.ts';

/** A field in a mongoose schema. `isNullable`, `isOptional` and `isInteger` are for the check of stored documents. */
type SchemaType = { readonly type: unknown; readonly required: boolean } & Readonly<Record<string, unknown>>;

const unchecked: SchemaType = { type: mongoose.Schema.Types.Mixed, required: true };

/**
 * The mongoose schema of an object with these fields. Types become those of mongoose; lengths, patterns and other checks
 * are left out, since stored values have passed them. Throws where mongoose has no such type, as of a transformed value.
 */
export function mongooseSchemaOf(fields: Fields, options: mongoose.SchemaOptions = { _id: false }): mongoose.Schema {
  const types = Object.entries(fields).map(([name, field]) => [name, schemaTypeOf(field)] as const);
  return new mongoose.Schema(Object.fromEntries(types) as mongoose.SchemaDefinition, {
    ...options,
    id: false,
    strict: 'throw',
    // No document is ever a mongoose one.
    suppressReservedKeysWarning: true,
  });
}

function schemaTypeOf(field: z.core.$ZodType): SchemaType {
  const { def } = (field as z.core.$ZodTypes)._zod;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- zod has types that no document can have
  switch (def.type) {
    case 'string':
    case 'template_literal':
      return required(String);
    case 'number':
      return { ...required(Number), isInteger: field instanceof z.ZodNumber && field.isInt };
    case 'boolean':
      return required(Boolean);
    case 'date':
      return required(Date);
    case 'enum':
      return { ...required(String), enum: Object.values(def.entries) };
    case 'literal':
      return { ...required(typeof def.values[0] === 'string' ? String : Number), enum: def.values };
    case 'nullable':
      // In mongoose a required value is never null.
      return { ...schemaTypeOf(def.innerType), required: false, isNullable: true };
    case 'optional':
      return { ...schemaTypeOf(def.innerType), required: false, isOptional: true };
    case 'readonly':
      return schemaTypeOf(def.innerType);
    case 'array':
      return required([schemaTypeOf(def.element)]);
    case 'record':
      return { ...required(Map), of: schemaTypeOf(def.valueType) };
    case 'object':
      return required(mongooseSchemaOf(def.shape as Fields));
    case 'union':
      return unionOf(def.options);
    case 'custom':
    case 'unknown':
      return unchecked;
    default:
      throw new Error(`documents can't have a field of type ${def.type}`);
  }
}

function required(type: unknown): SchemaType {
  return { type, required: true };
}

/**
 * A field with one of several types. Of objects it has the fields of all: one that some of them lack is optional. Of words it
 * has all. Other types that differ are not checked.
 */
function unionOf(options: readonly z.core.$ZodType[]): SchemaType {
  const objects = options.filter((option) => option instanceof z.ZodObject);
  if (objects.length === options.length) return required(mongooseSchemaOf(fieldsOfAll(objects)));
  const [first = unchecked, ...others] = [...new Set(options)].map(schemaTypeOf);
  const types = [first, ...others];
  if (others.every((each) => isDeepStrictEqual(each, first))) return first;
  return types.every(({ type, enum: words }) => type === String && words)
    ? { ...first, enum: types.flatMap(({ enum: words }) => words) }
    : unchecked;
}

function fieldsOfAll(objects: readonly z.ZodObject[]): Fields {
  const names = new Set(objects.flatMap(({ shape }) => Object.keys(shape)));
  return Object.fromEntries(
    [...names].map((name) => {
      const types = objects.flatMap(({ shape }) => (shape[name] as z.ZodType | undefined) ?? []);
      return [name, types.length < objects.length ? z.union(types).optional() : z.union(types)];
    }),
  );
}
