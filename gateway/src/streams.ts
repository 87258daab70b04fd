import type { VerifiedAccess } from '@storefront/access-token';

/** An answer that stays open. */
export interface OpenStream {
  readonly access: VerifiedAccess | null;
  end(): void;
}

/** All live streams of this gateway. */
export interface Streams {
  /** Whether there is room for one more. */
  hasRoom(): boolean;
  add(stream: OpenStream): void;
  remove(stream: OpenStream): void;
  size(): number;
  /** Ends those whose access was revoked or is over: a token must not outlive itself by keeping an answer open. */
  readonly endDead: () => void;
  /** Ends all of them: their clients connect again, elsewhere. */
  close(): void;
}

const sweepMs = 1000;

export function createStreams(max: number, isDead: (access: VerifiedAccess) => boolean): Streams {
  const open = new Set<OpenStream>();
  const endDead = () => {
    for (const stream of open) if (stream.access && isDead(stream.access)) stream.end();
  };
  const timer = setInterval(endDead, sweepMs).unref();
  return {
    hasRoom: () => open.size < max,
    add: (stream) => void open.add(stream),
    remove: (stream) => void open.delete(stream),
    size: () => open.size,
    endDead,
    close() {
      clearInterval(timer);
      for (const stream of open) stream.end();
    },
  };
}
