/** An XML element for the builder: children by name in their order, attributes with `@_`, its text as `#text`. */
export interface Element {
  readonly [name: string]: string | Element | readonly Element[] | undefined;
}

// The characters of XML 1.0, production 2.
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A text as XML can hold it: without the characters that XML 1.0 has no way to write. */
export function text(value: string): string {
  return value.replaceAll(forbidden, '');
}
