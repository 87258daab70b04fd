export interface Reference {
  readonly $ref: string;
}

type Kind = 'schemas' | 'responses' | 'parameters' | 'headers';

/** The parts that a document refers to by name. */
export class Components {
  readonly #parts: Partial<Record<Kind, Record<string, object>>> = {};

  /** Adds the part; the same name is always for the same part. Returns a reference to it. */
  add(kind: Kind, name: string, part: object): Reference {
    (this.#parts[kind] ??= {})[name] = part;
    return { $ref: `#/components/${kind}/${name}` };
  }

  /** The parts by kind and name, each in the order of their names. */
  all(): Record<string, Record<string, object>> {
    return Object.fromEntries(Object.entries(this.#parts).map(([kind, parts]) => [kind, inOrder(parts)]));
  }
}

function inOrder(parts: Record<string, object>): Record<string, object> {
  return Object.fromEntries(Object.entries(parts).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
