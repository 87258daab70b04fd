import type { Locator, Page } from 'playwright-core';

/** Somebody at the console, with a mouse or with a keyboard alone. */
export interface Hands {
  readonly haveMouse: boolean;
  press(...keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Goes to a control: forwards or back, from one to the next. Throws where it is not reached. */
  to(wanted: Locator): Promise<void>;
  /** Goes to a control, and presses Enter there, or these keys; a mouse clicks in place of the first one. */
  on(wanted: Locator, ...keys: readonly string[]): Promise<void>;
  /** Goes to a field, and types this in place of what is there. */
  write(field: Locator, text: string): Promise<void>;
  /** Goes to a box with choices, and types the name of one. */
  choose(box: Locator, option: string): Promise<void>;
  /** Goes through the menu that is open to one of its items, and has it done. */
  pick(item: Locator): Promise<void>;
  /** Waits until a dialog, or something else that had the focus, is gone, and something else has it. */
  gone(left: Locator): Promise<void>;
  /** What was wrong since then at the controls that were passed: that one can't be told from the others, or is covered. */
  complaints(): readonly string[];
}

const mostPresses = 150;

/** A keyboard and no mouse. */
export function keysOf(page: Page): Hands {
  const complaints = new Set<string>();
  const press = (key: string) => page.keyboard.press(key);

  /** Looks at the control that has the focus, as somebody does who has just pressed a key. */
  async function look(): Promise<string> {
    // It goes into a dialog a moment after that has opened.
    await page.waitForFunction(isFocusInDialog).catch(() => {
      throw new Error('a dialog is open, and the focus is elsewhere');
    });
    const { name, wrong } = await page.evaluate(lookAtFocus);
    for (const complaint of wrong) complaints.add(complaint);
    return name;
  }

  async function to(wanted: Locator): Promise<void> {
    const one = wanted.first();
    await one.waitFor();
    const passed: string[] = [];
    for (let presses = 0; presses < mostPresses; presses += 1) {
      const way = await one.evaluate((element) => {
        const { activeElement: active, body } = document;
        if (active === element) return 'here';
        if (!active || active === body) return 'Tab';
        const isBefore = active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING;
        return isBefore ? 'Shift+Tab' : 'Tab';
      });
      const name = await look();
      if (way === 'here') return;
      passed.push(name);
      await press(way);
    }
    throw new Error(`${String(one)} is not reached by ${mostPresses} presses of Tab; the last ones came to:
  ${passed.slice(-12).join('\n  ')}`);
  }

  const keys: Hands = {
    haveMouse: false,
    complaints: () => {
      const found = [...complaints];
      complaints.clear();
      return found;
    },
    async press(...all) {
      for (const key of all) await press(key);
    },
    type: (text) => page.keyboard.type(text),
    to,
    async on(wanted, ...all) {
      await to(wanted);
      await keys.press(...(all.length > 0 ? all : ['Enter']));
    },
    async write(field, text) {
      await to(field);
      await press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
    async choose(box, option) {
      await to(box);
      const read = () => box.first().evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]?.text);
      // As many letters as it takes: once it is chosen, the page may become another one.
      for (const letter of option) {
        if ((await read()) === option) break;
        await page.keyboard.type(letter);
      }
      const chosen = await read();
      if (chosen !== option) throw new Error(`${option} is typed, and ${chosen} is chosen`);
    },
    async pick(item) {
      await item.waitFor();
      const isThere = () => item.evaluate((element) => element === document.activeElement);
      for (let presses = 0; !(await isThere()); presses += 1) {
        if (presses === 12) throw new Error(`${String(item)} is not reached by ${presses} presses of ArrowDown`);
        await press('ArrowDown');
      }
      await look();
      await press('Enter');
    },
    async gone(left) {
      await left.waitFor({ state: 'detached' });
      const isSomewhere = () => document.activeElement !== document.body;
      await page.waitForFunction(isSomewhere).catch(() => {
        throw new Error(`nothing has the focus after ${String(left)} is gone`);
      });
      await look();
    },
  };
  return keys;
}

/** A mouse, and a keyboard for what is typed. */
export async function mouseOf(page: Page): Promise<Hands> {
  // A message may be over what one is about to click: it is closed first.
  const close = page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Close' }).first();
  // It may also leave by itself, so it is not waited for.
  const closeAll = () => close.evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLElement).click()));
  await page.addLocatorHandler(close, closeAll, { noWaitAfter: true });
  return {
    haveMouse: true,
    complaints: () => [],
    async press(...all) {
      for (const key of all) await page.keyboard.press(key);
    },
    type: (text) => page.keyboard.type(text),
    async to(wanted) {
      const isDate = (await wanted.first().getAttribute('type')) === 'date';
      // The first part of a date is at its left edge.
      if (isDate) await wanted.first().click({ position: { x: 14, y: 12 } });
      else await wanted.first().hover();
    },
    async on(wanted, _pressed, ...all) {
      await wanted.first().click();
      for (const key of all) await page.keyboard.press(key);
    },
    async write(field, text) {
      await field.first().click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
    async choose(box, option) {
      // As a click would, which opens a list that is not part of the page.
      await box.first().focus();
      await box.first().selectOption({ label: option });
    },
    pick: (item) => item.click(),
    gone: (left) => left.waitFor({ state: 'detached' }),
  };
}

/** Runs in the page. Whether the focus is in the dialog, if one is open. */
function isFocusInDialog(): boolean {
  const isOpen = document.querySelector('[role=dialog][data-open]:not([aria-modal=false])') !== null;
  return !isOpen || document.activeElement?.closest('[role=dialog], [role=menu]') != null;
}

/** Runs in the page. What a control looks like without the focus is seen once it has lost it. */
async function lookAtFocus(): Promise<{ readonly name: string; readonly wrong: string[] }> {
  const seen = globalThis as unknown as { lastFocus?: { element: Element; name: string; looks: string[] } };
  const { activeElement: active, body } = document;
  const wrong: string[] = [];
  const last = seen.lastFocus;
  if (last && last.element !== active) {
    const look = lookOf(last.element);
    if (last.element.isConnected && last.looks.every((one) => one === look))
      wrong.push(`${last.name} looks the same with and without the focus`);
    delete seen.lastFocus;
  }
  if (!active || active === body) return { name: 'nothing', wrong };
  const name = nameOf(active);
  // What is no control itself, but holds some, or leads the focus on.
  const isPlace = active.getAttribute('tabindex') === '-1' && !active.matches('a, button, [role=menuitem]');
  if (isPlace || active.hasAttribute('data-base-ui-focus-guard')) return { name, wrong };
  // The parts of a date are one control.
  seen.lastFocus ??= { element: active, name, looks: [] };
  seen.lastFocus.looks.push(lookOf(active));
  // What is scrolled to may be there in the next frame only, and a dialog that was closed goes slowly.
  if (whatCovers(active) !== undefined) {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }
  const over = whatCovers(active);
  if (over !== undefined) wrong.push(`${name} is ${over}`);
  return { name, wrong };

  function nameOf(element: Element): string {
    const label = (element as HTMLInputElement).labels?.[0]?.textContent;
    const text = element.getAttribute('aria-label') ?? label ?? element.textContent ?? '';
    return `${element.localName} “${text.trim().slice(0, 60)}” at ${location.pathname}`;
  }
  /** Of the element and what it is in: a field may be marked by its frame. */
  function lookOf(element: Element): string {
    const around = [element, element.parentElement, element.parentElement?.parentElement];
    return around
      .flatMap((one) => {
        if (!one) return [];
        const { outlineStyle, outlineColor, boxShadow } = getComputedStyle(one);
        return [outlineStyle, outlineStyle === 'none' ? '' : outlineColor, boxShadow];
      })
      .join(' ');
  }
  function whatCovers(element: Element): string | undefined {
    const { left, right, top, bottom } = element.getClientRects()[0] ?? new DOMRect();
    const { clientWidth, clientHeight } = document.documentElement;
    const [x, toX] = [Math.max(0, left), Math.min(clientWidth, right)];
    const [y, toY] = [Math.max(0, top), Math.min(clientHeight, bottom)];
    if (x >= toX || y >= toY) return 'out of sight';
    const there = document.elementFromPoint((x + toX) / 2, (y + toY) / 2);
    const isSeen = there && (element.contains(there) || there.contains(element));
    // A message leaves by itself, or by a key.
    if (isSeen || there?.closest('[role=region][aria-label=Messages]')) return undefined;
    return `covered by ${there ? nameOf(there) : 'nothing'}`;
  }
}
