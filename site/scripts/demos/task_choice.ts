/** Radio buttons for the tasks of a page; the URL's fragment holds the choice: `#hand`. */

import { create } from '../common/dom.js';

/** A selectable task. */
export interface Choice {
  readonly key: string;
  readonly title: string;
  readonly note: string;
}

/**
 * Fills a fieldset of the template. With a single task the fieldset remains hidden.
 *
 * @param onChoose - Called when the task changes, and immediately if the URL names a task other than the first.
 */
export function chooseTask<C extends Choice>(
  fieldset: HTMLElement,
  choices: readonly C[],
  onChoose: (choice: C) => void,
): void {
  const named = choices.find(({ key }) => `#${key}` === location.hash);
  const checked = named ?? choices[0];
  fieldset.hidden = choices.length < 2;
  const group = create('div', { class: 'choices' });
  for (const choice of choices) {
    const id = `task-${choice.key}`;
    const input = create('input', {
      type: 'radio',
      name: 'task',
      id,
      value: choice.key,
      checked: choice === checked,
      'aria-describedby': `${id}-note`,
    });
    input.addEventListener('change', () => {
      history.replaceState(null, '', `#${choice.key}`);
      onChoose(choice);
    });
    const label = create('label', { for: id, text: choice.title });
    const note = create('span', { class: 'note', id: `${id}-note`, text: choice.note });
    group.append(create('div', { class: 'choice' }, input, label, note));
  }
  fieldset.append(group);
  if (named && named !== choices[0]) onChoose(named);
}
