import type { VerifiedAccess } from '@storefront/access-token';

/** An answer that stays open. */
export interface OpenStream {
  readonly access: VerifiedAccess | null;
  end(): void;
}

/** All open streams of this gateway. */
export interface Streams {
  /** Whether one more may be opened. */
  hasRoom(): boolean;
  add(stream: OpenStream): void;
  remove(stream: OpenStream): void;
  size(): number;
  /** Ends those whose token is no longer valid. Also happens every second. */
  readonly endInvalid: () => void;
  /** Ends all of them; their clients connect again. */
  close(): void;
}

const sweepMs = 1000;

/** `isValid`: whether the token is neither revoked nor expired. */
export function createStreams(max: number, isValid: (access: VerifiedAccess) => boolean): Streams {
  const open = new Set<OpenStream>();
  const endInvalid = () => {
    for (const stream of open) if (stream.access && !isValid(stream.access)) stream.end();
  };
  const timer = setInterval(endInvalid, sweepMs).unref();
  return {
    hasRoom: () => open.size < max,
    add: (stream) => void open.add(stream),
    remove: (stream) => void open.delete(stream),
    size: () => open.size,
    endInvalid,
    close() {
      clearInterval(timer);
      for (const stream of open) stream.end();
    },
  };
}
