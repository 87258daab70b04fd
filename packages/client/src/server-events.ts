/** An event of a `text/event-stream`. */
export interface ServerEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/**
 * The events of the response (HTML, 9.2). Throws where nothing came for `silentMs`, not even a comment. Ends the connection
 * when it is left.
 */
export async function* eventsOf(response: Response, silentMs: number): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let text = '';
  try {
    for (;;) {
      const { done, value } = await within(silentMs, reader.read());
      if (done) return;
      text += value;
      // A carriage return at the end may be the first half of a line's end.
      const blocks = text.split(/(?:\r\n|\n|\r(?!\n|$)){2}/);
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

function eventOf(block: string): ServerEvent | undefined {
  const fields = block.split(/\r\n|\n|\r/).map((line) => /^(\w+): ?(.*)$/.exec(line) ?? []);
  const valueOf = (name: string) => fields.findLast(([, field]) => field === name)?.[2];
  const data = fields.flatMap(([, field, value = '']) => (field === 'data' ? [value] : []));
  return data.length === 0
    ? undefined
    : { event: valueOf('event') ?? 'message', id: valueOf('id'), data: data.join('\n') };
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came for ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    clearTimeout(timer);
  }
}
