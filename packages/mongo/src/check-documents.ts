import type mongoose from 'mongoose';
import { collectionOf } from './collections.ts';
import type { Database } from './database.ts';
import type { CollectionDefinition } from './define-collection.ts';
import { erasedUsers } from './erased-users.ts';
import { servedCollections } from './served-collections.ts';

/** A fault in a document and its place. */
interface Fault {
  /** The path of the field, such as `addresses[].city`. */
  readonly path: string;
  readonly problem: string;
}

/** The parts of a mongoose schema field that this check uses. */
interface FieldType {
  readonly instance: string;
  readonly options: FieldOptions;
  /** Set for objects only. */
  readonly schema?: mongoose.Schema;
  /** Returns the type of an array's elements or of a map's values. */
  readonly getEmbeddedSchemaType: () => FieldType | undefined;
}

interface FieldOptions {
  readonly isNullable?: boolean;
  readonly isOptional?: boolean;
  readonly isInteger?: boolean;
  readonly enum?: readonly unknown[];
}

const missing = 'is missing';

/**
 * Compares every stored document with the definition of its collection, without converting values. Finds unknown
 * fields, missing fields, values of a wrong type, and collections without a definition. Returns one line for each kind
 * of finding, such as `customers.email: expected String, found number (3 documents, such as usr_1/cust_2)`; an empty
 * list if there is none.
 */
export async function checkStoredDocuments(
  database: Database,
  definitions: readonly CollectionDefinition[],
): Promise<string[]> {
  // A service's own definition replaces a shared one of the same name.
  const known = new Map(
    [erasedUsers, ...servedCollections, ...definitions].map((definition) => [definition.name, definition]),
  );
  const listed = await database.getClient().db(database.name).listCollections({}, { nameOnly: true }).toArray();
  const names = listed.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
  const findings = await Promise.all(
    names.toSorted().map(async (name) => {
      const definition = known.get(name);
      return definition ? checkCollection(database, definition) : [`${name}: the collection has no definition`];
    }),
  );
  return findings.flat();
}

async function checkCollection(database: Database, definition: CollectionDefinition): Promise<string[]> {
  const found = new Map<string, string[]>();
  for await (const document of collectionOf(database, definition).find()) {
    for (const { path, problem } of faultsOf(document, definition)) {
      const finding = `${definition.name}.${path}: ${problem}`;
      found.set(finding, [...(found.get(finding) ?? []), String(document._id)]);
    }
  }
  return [...found].map(
    ([finding, ids]) => `${finding} (${ids.length} ${ids.length === 1 ? 'document' : 'documents'}, such as ${ids[0]})`,
  );
}

function faultsOf(document: mongoose.mongo.Document, { schema, hasOutbox }: CollectionDefinition): Fault[] {
  const faults = faultsOfObject(document, schema, '');
  // A deleted document may lack fields, because only its events are still needed.
  const isTombstone = hasOutbox && document['deletedAt'] !== undefined;
  return isTombstone ? faults.filter(({ problem }) => problem !== missing) : faults;
}

function faultsOfObject(value: object, schema: mongoose.Schema, prefix: string): Fault[] {
  const types = typesOf(schema);
  const unknown = Object.keys(value).filter((field) => !types.has(field));
  return [
    ...unknown.map((field) => ({ path: prefix + field, problem: 'is not in the definition' })),
    ...[...types].flatMap(([field, type]) => {
      if (Object.hasOwn(value, field)) return faultsOfField((value as Values)[field], type, prefix + field);
      // mongoose lists the values of a map as a separate field, with a name ending in `.$*`.
      return type.options.isOptional || field.endsWith('.$*') ? [] : [{ path: prefix + field, problem: missing }];
    }),
  ];
}

type Values = Readonly<Record<string, unknown>>;

const typesOfSchemas = new WeakMap<mongoose.Schema, ReadonlyMap<string, FieldType>>();

function typesOf(schema: mongoose.Schema): ReadonlyMap<string, FieldType> {
  const known = typesOfSchemas.get(schema);
  if (known) return known;
  const types = new Map(Object.entries(schema.paths as unknown as Record<string, FieldType>));
  typesOfSchemas.set(schema, types);
  return types;
}

function faultsOfField(value: unknown, type: FieldType, path: string): Fault[] {
  if (value === null) return type.options.isNullable ? [] : [{ path, problem: 'is null' }];
  switch (type.instance) {
    case 'Mixed':
      return [];
    case 'Array':
      return Array.isArray(value) ? value.flatMap((element) => faultsOfElement(element, type, `${path}[]`)) : wrong();
    case 'Map':
      return isObject(value)
        ? Object.values(value).flatMap((element) => faultsOfElement(element, type, `${path}.*`))
        : wrong();
    case 'Embedded':
    case 'DocumentArrayElement':
      return isObject(value) && type.schema ? faultsOfObject(value, type.schema, `${path}.`) : wrong();
    default:
      return isOfType(value, type) ? faultsOfWord(value, type.options, path) : wrong();
  }

  function wrong(): Fault[] {
    return [{ path, problem: `expected ${expectedOf(type)}, found ${nameOf(value)}` }];
  }
}

/** Checks an element of an array or a map. */
function faultsOfElement(value: unknown, type: FieldType, path: string): Fault[] {
  const element = type.getEmbeddedSchemaType();
  return element ? faultsOfField(value, element, path) : [];
}

function faultsOfWord(value: unknown, { enum: words }: FieldOptions, path: string): Fault[] {
  return words === undefined || words.includes(value)
    ? []
    : [{ path, problem: `${String(value)} is not one of its words` }];
}

function isOfType(value: unknown, { instance, options }: FieldType): boolean {
  switch (instance) {
    case 'String':
      return typeof value === 'string';
    case 'Number':
      return options.isInteger ? Number.isInteger(value) : typeof value === 'number';
    case 'Boolean':
      return typeof value === 'boolean';
    case 'Date':
      return value instanceof Date;
    default:
      throw new Error(`fields of type ${instance} can't be checked`);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function expectedOf({ instance, options }: FieldType): string {
  if (['Embedded', 'DocumentArrayElement', 'Map'].includes(instance)) return 'Object';
  return options.isInteger ? 'Integer' : instance;
}

function nameOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? value.constructor.name : typeof value;
}
