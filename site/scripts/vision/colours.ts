/** Distinct colours for classes. */

/** Index of the class that is nothing else; it has no colour. */
export const BACKGROUND = 0;

// The golden angle: neighbouring indices get distant hues.
const HUE_STEP = 137.508;

/** Red, green and blue, from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** The colour of a class. */
export function colourOf(index: number): Colour {
  const hue = (index * HUE_STEP) % 360;
  const channel = (offset: number) => {
    const position = (offset + hue / 30) % 12;
    return Math.round(255 * (0.55 - 0.43 * Math.max(-1, Math.min(position - 3, 9 - position, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

/** A colour in CSS notation. */
export function cssColour([red, green, blue]: Colour): string {
  return `rgb(${red} ${green} ${blue})`;
}
