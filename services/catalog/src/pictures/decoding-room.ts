import { commonErrors } from '@storefront/contracts';

/** Runs `work` on a picture with so many pixels once there is room for it. */
export type DecodingRoom = <Result>(
  pixels: number,
  signal: AbortSignal,
  work: () => Promise<Result>,
) => Promise<Result>;

interface Waiting {
  readonly pixels: number;
  readonly start: () => void;
}

const atOnce = 2;
/** A picture with more pixels than this is decoded alone. */
const largePixels = 25_000_000;
const maxWaiting = 16;

/**
 * Limits how many pictures are decoded at once, in the order in which they came. Throws `overloaded` where 16 pictures wait
 * already, and where `signal` ends the wait of one.
 */
export function createDecodingRoom(): DecodingRoom {
  const waiting: Waiting[] = [];
  const underWay: number[] = [];

  function isRoomFor(pixels: number): boolean {
    if (underWay.length === 0) return true;
    return underWay.length < atOnce && pixels <= largePixels && underWay.every((each) => each <= largePixels);
  }

  function startNext(): void {
    for (let next = waiting[0]; next && isRoomFor(next.pixels); next = waiting[0]) {
      waiting.shift();
      underWay.push(next.pixels);
      next.start();
    }
  }

  function enter(pixels: number, signal: AbortSignal): Promise<void> {
    if (waiting.length >= maxWaiting || signal.aborted) throw commonErrors.overloaded();
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(place), 1);
        reject(commonErrors.overloaded());
        startNext();
      };
      const place: Waiting = {
        pixels,
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.push(place);
      startNext();
    });
  }

  return async (pixels, signal, work) => {
    await enter(pixels, signal);
    try {
      return await work();
    } finally {
      underWay.splice(underWay.indexOf(pixels), 1);
      startNext();
    }
  };
}
