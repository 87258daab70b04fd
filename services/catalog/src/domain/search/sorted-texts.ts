const mostWaiting = 1024;

/** Texts in the order of their UTF-16 units, each with a number. New texts wait, until many are put in order at once. */
export class SortedTexts {
  #texts: string[] = [];
  #numbers = new Uint32Array(0);
  #waiting: { readonly text: string; readonly number: number }[] = [];

  add(text: string, number: number): void {
    this.#waiting.push({ text, number });
    if (this.#waiting.length >= mostWaiting) this.#merge();
  }

  /** How many texts do not wait any more. */
  get sorted(): number {
    return this.#texts.length;
  }

  /** Writes the rank of each sorted text to the place of its number. Equal texts have the same rank. */
  writeRanks(to: Uint32Array): void {
    let rank = 0;
    for (let at = 0; at < this.#texts.length; at += 1) {
      if (at > 0 && this.#texts[at] !== this.#texts[at - 1]) rank = at;
      to[this.#numbers[at] as number] = rank;
    }
  }

  /** Calls `found` with the number of each text that begins with `text`. */
  beginningWith(text: string, found: (number: number) => void): void {
    for (let at = this.#placeOf(text); this.#texts[at]?.startsWith(text); at += 1) found(this.#numbers[at] as number);
    for (const waiting of this.#waiting) if (waiting.text.startsWith(text)) found(waiting.number);
  }

  /** The place of the first word that is not before `text`. */
  #placeOf(text: string): number {
    let low = 0;
    let high = this.#texts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#texts[middle] as string) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #merge(): void {
    const added = this.#waiting.toSorted((one, other) => (one.text < other.text ? -1 : 1));
    this.#waiting = [];
    const texts: string[] = [];
    const numbers = new Uint32Array(this.#texts.length + added.length);
    let from = 0;
    for (const { text, number } of added) {
      const place = this.#placeOf(text);
      for (; from < place; from += 1) {
        numbers[texts.length] = this.#numbers[from] as number;
        texts.push(this.#texts[from] as string);
      }
      numbers[texts.length] = number;
      texts.push(text);
    }
    for (; from < this.#texts.length; from += 1) {
      numbers[texts.length] = this.#numbers[from] as number;
      texts.push(this.#texts[from] as string);
    }
    this.#texts = texts;
    this.#numbers = numbers;
  }
}
