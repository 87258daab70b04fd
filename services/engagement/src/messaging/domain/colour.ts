/** A colour of sRGB: red, green and blue from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

export const white: Colour = [255, 255, 255];
export const black: Colour = [0, 0, 0];

/** Reads `#rrggbb`. */
export function parseColour(hex: string): Colour {
  const at = (index: number) => Number.parseInt(hex.slice(index, index + 2), 16);
  return [at(1), at(3), at(5)];
}

/** The colour for CSS. Not in the form `#112233`: people and programs search a mail for six digits, its code. */
export function cssOf(colour: Colour): string {
  return `rgb(${colour.join(',')})`;
}

/** The contrast of two colours, from 1 to 21, as WCAG 2.2 defines it. Text needs 4.5, the form of a button 3. */
export function contrast(one: Colour, other: Colour): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Black or white, whichever is easier to read on the background. The contrast is never below 4.5. */
export function readableOn(background: Colour): Colour {
  return contrast(white, background) >= contrast(black, background) ? white : black;
}

/** The colour, mixed with as little black or white as gives it that contrast with the background, which is at most 4.5. */
export function distinctFrom(background: Colour, colour: Colour, atLeast: number): Colour {
  const towards = readableOn(background);
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(colour, towards, share);
    if (contrast(mixed, background) >= atLeast) return mixed;
  }
  return towards;
}

function mix([red, green, blue]: Colour, other: Colour, share: number): Colour {
  const part = (own: number, its: number) => Math.round(own + (its - own) * share);
  return [part(red, other[0]), part(green, other[1]), part(blue, other[2])];
}

function luminance([red, green, blue]: Colour): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(value: number): number {
  const share = value / 255;
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
