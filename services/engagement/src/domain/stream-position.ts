import { hash } from 'node:crypto';

// How late a notification may become visible after its time: written slowly, or by an instance whose clock is behind.
const latenessMs = 10_000;
const mostTags = 150;

interface Seen {
  readonly id: string;
  readonly createdAt: Date;
}

/**
 * How far somebody has followed a stream: the newest time seen, and which of the last ten seconds were seen. So what
 * becomes visible late is neither missed nor shown twice.
 */
export interface StreamPosition {
  readonly upTo: number;
  /** Everything up to here counts as seen. */
  readonly from: number;
  readonly tags: readonly { readonly tag: string; readonly at: number }[];
}

export function startAt(time: Date): StreamPosition {
  return { upTo: time.getTime(), from: time.getTime() - latenessMs, tags: [] };
}

/** Whether it is after the position and not seen yet. */
export function isNew(position: StreamPosition, item: Seen): boolean {
  const tag = tagOf(item.id);
  return item.createdAt.getTime() > position.from && !position.tags.some((entry) => entry.tag === tag);
}

export function after(position: StreamPosition, item: Seen): StreamPosition {
  const upTo = Math.max(position.upTo, item.createdAt.getTime());
  const tags = [...position.tags, { tag: tagOf(item.id), at: item.createdAt.getTime() }].sort((a, b) => a.at - b.at);
  // Where more came than can be remembered, lateness is given up, not exactness.
  const forgotten = tags.at(-mostTags - 1)?.at ?? 0;
  const from = Math.max(position.from, upTo - latenessMs, forgotten);
  return { upTo, from, tags: tags.filter(({ at }) => at > from) };
}

/** The position as the id of an event, which a client sends back as `Last-Event-ID`. */
export function writePosition({ upTo, from, tags }: StreamPosition): string {
  const ago = (time: number) => (upTo - time).toString(36);
  return [upTo.toString(36), ago(from), ...tags.map(({ tag, at }) => `${tag}${ago(at)}`)].join('.');
}

const time = /^[0-9a-z]{8,9}$/;
const span = /^[0-9a-z]{1,4}$/;
const entry = /^([0-9a-f]{6})([0-9a-z]{1,4})$/;

/** The position that a client sent back, or null where it is not one. */
export function readPosition(text: string): StreamPosition | null {
  const [newest = '', window = '', ...entries] = text.slice(0, 4096).split('.');
  if (!time.test(newest) || !span.test(window)) return null;
  const upTo = Number.parseInt(newest, 36);
  const tags = entries.map((part) => {
    const [, tag = '', ago = ''] = entry.exec(part) ?? [];
    return { tag, at: upTo - Number.parseInt(ago, 36) };
  });
  if (tags.length > mostTags || tags.some(({ at }) => Number.isNaN(at))) return null;
  return { upTo, from: upTo - Number.parseInt(window, 36), tags };
}

function tagOf(id: string): string {
  return hash('sha256', id, 'hex').slice(0, 6);
}
