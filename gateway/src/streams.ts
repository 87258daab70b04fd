import type { VerifiedCaller } from './access/verified-caller.ts';

/** An answer that stays open, such as server-sent events. */
export interface OpenStream {
  readonly access: VerifiedCaller | null;
  end(): void;
}

/** All open streams of this gateway. */
export interface Streams {
  /** Whether one more stream may be opened. */
  hasRoom(): boolean;
  add(stream: OpenStream): void;
  remove(stream: OpenStream): void;
  size(): number;
  /** Ends the streams whose token is no longer valid. */
  readonly endInvalid: () => void;
  /** Ends the streams that have a token and were opened before `time`, a time of `performance.now()`. */
  endOpenedBefore(time: number): void;
  /** Ends all streams; their clients connect again. */
  close(): void;
}

/** `isValid`: whether the token is neither revoked nor expired. */
export function createStreams(max: number, isValid: (access: VerifiedCaller) => boolean): Streams {
  const open = new Map<OpenStream, number>();
  return {
    hasRoom: () => open.size < max,
    add: (stream) => void open.set(stream, performance.now()),
    remove: (stream) => void open.delete(stream),
    size: () => open.size,
    endInvalid() {
      for (const stream of open.keys()) if (stream.access && !isValid(stream.access)) stream.end();
    },
    endOpenedBefore(time) {
      for (const [stream, openedAt] of open) if (stream.access && openedAt < time) stream.end();
    },
    close() {
      for (const stream of open.keys()) stream.end();
    },
  };
}
