import { isDeepStrictEqual } from 'node:util';
import mongoose from 'mongoose';
import { z } from 'zod';
import type { Fields } from './fields.ts';

/** A field in a mongoose schema. `isNullable`, `isOptional` and `isInteger` are for the check of stored documents. */
type SchemaType = { readonly type: unknown; readonly required: boolean } & Readonly<Record<string, unknown>>;

const unchecked: SchemaType = { type: mongoose.Schema.Types.Mixed, required: true };

/**
 * Returns the mongoose schema of an object with these fields. Only types are converted. Lengths, patterns and other
 * checks are left out, because stored values have already passed them. Throws for types that mongoose does not have,
 * such as transformed values.
 */
export function mongooseSchemaOf(fields: Fields, options: mongoose.SchemaOptions = { _id: false }): mongoose.Schema {
  const types = Object.entries(fields).map(([name, field]) => [name, schemaTypeOf(field)] as const);
  return new mongoose.Schema(Object.fromEntries(types) as mongoose.SchemaDefinition, {
    ...options,
    id: false,
    strict: 'throw',
    // Reserved names do no harm, because no document is ever made a mongoose document.
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
 * Returns the type of a field with several allowed types:
 * - For objects: the fields of all objects. A field that some of the objects lack is optional.
 * - For enums of strings: all their words.
 * - Any other mix of types is not checked.
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
