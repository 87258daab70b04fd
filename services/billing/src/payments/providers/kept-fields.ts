const mostCharacters = 500;

/** The fields of a body that an adapter reads: `true` for a text, a number, a boolean or null. */
export interface Fields {
  readonly [name: string]: true | Fields;
}

/**
 * What is kept of the JSON of a body: these fields of it, as JSON. A text beyond 500 characters is cut there; of a list or an object in
 * the place of a value only its brackets are left, so that the field is as wrong as it was. Undefined stays undefined.
 */
export function keptFields(json: unknown, fields: Fields): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return keptValue(json);
  const given = new Map<string, unknown>(Object.entries(json));
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, within]) => {
      if (!given.has(name)) return [];
      const value = given.get(name);
      return [[name, within === true ? keptValue(value) : keptFields(value, within)]];
    }),
  );
}

function keptValue(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, mostCharacters);
  if (Array.isArray(value)) return [];
  return typeof value === 'object' && value !== null ? {} : value;
}
