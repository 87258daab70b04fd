import { hash } from 'node:crypto';

// How long after its `createdAt` a notification may become visible: a write may be slow, or an instance's clock late.
const latenessMs = 10_000;
const maxTags = 150;

interface Shown {
  readonly id: string;
  readonly createdAt: Date;
}

/**
 * How far a client has followed a stream: the creation time of the newest notification that the client was shown, and
 * tags of the notifications that it was shown from the 10 s before. With the tags, a notification that becomes visible
 * late is neither missed nor shown twice. All times are in milliseconds.
 */
export interface StreamPosition {
  readonly upTo: number;
  /** All notifications up to this time count as shown. */
  readonly from: number;
  readonly tags: readonly { readonly tag: string; readonly at: number }[];
}

export function positionAt(time: Date): StreamPosition {
  return { upTo: time.getTime(), from: time.getTime() - latenessMs, tags: [] };
}

/** Whether the client has not seen the notification yet. */
export function isNew(position: StreamPosition, item: Shown): boolean {
  const tag = tagOf(item.id);
  return item.createdAt.getTime() > position.from && !position.tags.some((entry) => entry.tag === tag);
}

/** Returns the position after the client has seen this item too. */
export function advance(position: StreamPosition, item: Shown): StreamPosition {
  const upTo = Math.max(position.upTo, item.createdAt.getTime());
  const tags = [...position.tags, { tag: tagOf(item.id), at: item.createdAt.getTime() }].sort((a, b) => a.at - b.at);
  // Beyond 150 remembered tags a late notification may be missed; none is shown twice.
  const forgotten = tags.at(-maxTags - 1)?.at ?? 0;
  const from = Math.max(position.from, upTo - latenessMs, forgotten);
  return { upTo, from, tags: tags.filter(({ at }) => at > from) };
}

/** Formats the position as the id of a server-sent event. A client sends the id back as `Last-Event-ID`. */
export function formatPosition({ upTo, from, tags }: StreamPosition): string {
  const ago = (time: number) => (upTo - time).toString(36);
  return [upTo.toString(36), ago(from), ...tags.map(({ tag, at }) => `${tag}${ago(at)}`)].join('.');
}

const timePattern = /^[0-9a-z]{8,9}$/;
const agoPattern = /^[0-9a-z]{1,4}$/;
const tagPattern = /^([0-9a-f]{6})([0-9a-z]{1,4})$/;

/** Parses a position that a client sent back; null where the text is not a position. */
export function parsePosition(text: string): StreamPosition | null {
  const [newest = '', window = '', ...entries] = text.slice(0, 4096).split('.');
  if (!timePattern.test(newest) || !agoPattern.test(window)) return null;
  const upTo = Number.parseInt(newest, 36);
  const tags = entries.map((entry) => {
    const [, tag = '', ago = ''] = tagPattern.exec(entry) ?? [];
    return { tag, at: upTo - Number.parseInt(ago, 36) };
  });
  if (tags.length > maxTags || tags.some(({ at }) => Number.isNaN(at))) return null;
  return { upTo, from: upTo - Number.parseInt(window, 36), tags };
}

function tagOf(id: string): string {
  return hash('sha256', id, 'hex').slice(0, 6);
}
