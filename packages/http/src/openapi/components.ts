export interface Reference {
  readonly $ref: string;
}

type Kind = 'schemas' | 'responses' | 'parameters' | 'headers';

/** The parts to which a document refers by name. */
export class Components {
  readonly #parts: Partial<Record<Kind, Record<string, object>>> = {};

  /** Adds a part and returns a reference to it. The same name must always stand for the same part. */
  add(kind: Kind, name: string, part: object): Reference {
    (this.#parts[kind] ??= {})[name] = part;
    return { $ref: `#/components/${kind}/${name}` };
  }

  /** Returns the parts by kind and name, sorted by name. */
  all(): Record<string, Record<string, object>> {
    return Object.fromEntries(Object.entries(this.#parts).map(([kind, parts]) => [kind, inOrder(parts)]));
  }
}

function inOrder(parts: Record<string, object>): Record<string, object> {
  return Object.fromEntries(Object.entries(parts).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
