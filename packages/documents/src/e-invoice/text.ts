/**
 * An XML element for the builder: child elements by name, in their order; attributes begin with `@_`; the text is
 * `#text`.
 */
export interface Element {
  readonly [name: string]: string | Element | readonly Element[] | undefined;
}

// All characters that XML 1.0 does not allow (production 2 of the standard).
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** The text without the characters that XML 1.0 can't contain. */
export function text(value: string): string {
  return value.replaceAll(forbidden, '');
}
