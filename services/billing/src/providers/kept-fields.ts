const mostCharacters = 500;

/**
 * The fields of a body that an adapter reads. `true` stands for a simple value: a text, a number, a boolean or null.
 */
export interface Fields {
  readonly [name: string]: true | Fields;
}

/**
 * The part of a body's JSON that is stored: only these fields. A text is cut after 500 characters. A list or an object
 * in place of a simple value is stored empty, so that the field is still recognised as wrong. An undefined value stays
 * undefined.
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
