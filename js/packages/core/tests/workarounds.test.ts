/** Which bugs are worked around in which browser. */

import { describe, expect, it } from 'vitest';
import { BROWSER_BUGS } from '../src/generated/browser_bugs.js';
import { onWebnn } from '../src/model/runner_options.js';
import { workaroundsFor } from '../src/webnn/delegate_context.js';

const CHROMIUM = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)';
const chromium = (major: number) => `${CHROMIUM} HeadlessChrome/${major}.0.7727.0 Safari/537.36`;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
const SAFARI = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15';
const WEB_VIEW = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Version/4.0 Chrome/147.0.0.0 Mobile Safari/537.36';

const BUGS = [
  { id: 'always', engine: 'Chromium' },
  { id: 'fixed', engine: 'Chromium', to: 150 },
  { id: 'new', engine: 'Chromium', from: 149, to: 151 },
  { id: 'other', engine: 'Safari', from: 26 },
];

describe('workarounds', () => {
  it.each([
    [100, 'always,fixed'],
    [148, 'always,fixed'],
    [149, 'always,fixed,new'],
    [150, 'always,fixed,new'],
    [151, 'always,new'],
    [152, 'always'],
  ])('are for the versions with the bug: %i', (major, ids) => {
    expect(workaroundsFor(null, BUGS, chromium(major))).toBe(ids);
  });

  it.each([
    ['Firefox', FIREFOX, ''],
    ['Safari', SAFARI, 'other'],
    ['a web view of Android', WEB_VIEW, 'always,fixed'],
    ['Node', 'Node.js/22', 'all'],
    ['a browser that does not say', '', 'all'],
  ])('are those of its engine: %s', (_, agent, ids) => {
    expect(workaroundsFor(null, BUGS, agent)).toBe(ids);
  });

  it('are none on the polyfill, whatever the browser', () => {
    expect(workaroundsFor('polyfill 1.2.3, tflite', BUGS, chromium(147))).toBe('');
  });

  it('are all in the version in which all were seen', () => {
    const ids = BROWSER_BUGS.map(({ id }) => id).join();
    expect(workaroundsFor(null, BROWSER_BUGS, chromium(147))).toBe(ids);
  });

  it('are those of the caller instead', () => {
    const webnn = { limits: {}, backend: null };
    expect(onWebnn({}, webnn, [])).toMatchObject({ webnn_workarounds: 'all' });
    expect(onWebnn({ webnn_workarounds: '' }, webnn, [])).toMatchObject({ webnn_workarounds: '' });
  });
});
