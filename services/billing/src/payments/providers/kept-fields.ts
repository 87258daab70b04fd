const mostCharacters = 500;

/** The fields of a body that an adapter reads: `true` for a text, a number, a boolean or null. */
export interface Fields {
  readonly [name: string]: true | Fields;
}

/**
 * The part of a body's JSON that is stored: these fields of it. A text is cut after 500 characters. A list or an object in the place of a
 * value is stored as an empty one, so that the field stays wrong. Undefined stays undefined.
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
