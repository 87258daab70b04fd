// TypeScript types of the JSON Schemas of the API document, for packages/client.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
}

/** The type of the values that the schema describes, as TypeScript. Throws for a keyword that it does not know. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map(typeOf));
  if (schema.allOf) return schema.allOf.map((part) => grouped(typeOf(part))).join(' & ');
  if (typeof schema.type === 'object') return union(schema.type.map((type) => typeOf({ ...schema, type })));
  if (schema.type === undefined) return 'unknown';
  return ofType(schema, schema.type);
}

function ofType(schema: Schema, type: string): string {
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string' || type === 'boolean' || type === 'null') return type;
  if (type === 'array') return schema.items ? `${grouped(typeOf(schema.items))}[]` : 'unknown[]';
  if (type === 'object') return objectOf(schema);
  throw new Error(`no TypeScript for the type ${type}`);
}

function objectOf({ properties, required = [], propertyNames, additionalProperties }: Schema): string {
  if (properties && Object.keys(properties).length > 0) {
    const fields = Object.entries(properties).map(([name, field]) => property(name, field, required.includes(name)));
    return `{\n${fields.join('\n')}\n}`;
  }
  if (typeof additionalProperties !== 'object')
    return additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>';
  const value = typeOf(additionalProperties);
  const names = propertyNames?.enum ? typeOf(propertyNames) : 'string';
  return names === 'string' || required.length > 0
    ? `Record<${names}, ${value}>`
    : `Partial<Record<${names}, ${value}>>`;
}

/** One field of an object type, with its description as a comment. */
export function property(name: string, schema: Schema, isRequired: boolean): string {
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  return `${comment(schema.description)}${key}${isRequired ? '' : '?'}: ${typeOf(schema)};`;
}

/** The text as a comment of one line before what follows; empty without a text. */
export function comment(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s*\n\s*/g, ' ')} */\n`;
}

/** The name of the schema to which the reference leads. */
function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

export function union(types: readonly string[]): string {
  return types.length === 0 ? 'never' : [...new Set(types)].join(' | ');
}

function grouped(type: string): string {
  return / [|&] /.test(type) && !type.startsWith('{') ? `(${type})` : type;
}
