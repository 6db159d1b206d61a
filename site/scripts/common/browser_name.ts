/** The browser's name in its user agent. */

const NAMES: readonly (readonly [string, RegExp])[] = [
  ['Edge', /Edg\/([\d.]+)/],
  ['Firefox', /Firefox\/([\d.]+)/],
  ['Chromium', /(?:HeadlessChrome|Chrome)\/([\d.]+)/],
  ['WebKit', /AppleWebKit\/([\d.]+)/],
];

/** `Chromium 147.0.7727.0`; Chrome counts as Chromium, whose engine it has. */
export function browserName(userAgent: string): string {
  for (const [name, pattern] of NAMES) {
    const version = pattern.exec(userAgent)?.[1];
    if (version) return `${name} ${version}`;
  }
  return 'Unknown browser';
}
