/** The object that the text is as JSON, if it is one whose `field` is text; otherwise undefined. */
export function objectWith<Kind>(field: keyof Kind, text: string | undefined): Kind | undefined {
  try {
    const value = JSON.parse(text ?? 'null') as Kind | null;
    return typeof value?.[field] === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
