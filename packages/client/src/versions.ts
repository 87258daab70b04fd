import type { Prepared } from './send.ts';

interface Version {
  readonly etag: string;
  /** The path at which the resource is read. */
  readonly source: string;
}

const versions = new WeakMap<object, Version>();

/** The `ETag` of a resource that a call has answered; undefined where it had none. */
export function etagOf(result: object | undefined): string | undefined {
  return result && versions.get(result)?.etag;
}

/** The path at which the resource can be read; undefined where it is not known. */
export function sourceOf(result: object | undefined): string | undefined {
  return result && versions.get(result)?.source;
}

/** Remembers the version of what was answered. `of` is the resource that was changed. */
export function noteVersion(result: unknown, { headers }: Response, request: Prepared, of: object | undefined): void {
  const etag = headers.get('etag');
  if (etag === null || typeof result !== 'object' || result === null) return;
  const location = headers.get('location');
  versions.set(result, { etag, source: sourceOf(of) ?? location ?? request.path });
}
