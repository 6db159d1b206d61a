// The shape of the API page: a getter is a line and a sentence, errors have their own section, and overridden or
// inherited members are not mentioned.

import { CommentTag, Converter, ReflectionKind } from 'typedoc';
import { MarkdownTheme, MarkdownThemeContext } from 'typedoc-plugin-markdown';

class ApiTheme extends MarkdownTheme {
  getRenderContext(page) {
    const context = new MarkdownThemeContext(this, page, this.application.options);
    const { comment, signatureTitle } = context.partials;
    context.partials = {
      ...context.partials,
      inheritance: () => '',
      accessor: ({ getSignature }, options) =>
        `${signatureTitle(getSignature, { accessor: 'get' })}\n\n${comment(getSignature.comment, options)}`,
    };
    return context;
  }
}

// Packages that get their own section.
const SECTIONS = {
  '/js/packages/media/images/': 'image.mjs',
  '/js/packages/media/results/': 'results.mjs',
  '/js/packages/media/sound/': 'sound.mjs',
  '/js/packages/tasks/tasks/src/language/': 'language.mjs', // before the folder that it is in
  '/js/packages/tasks/tasks/': 'tasks.mjs',
  '/js/packages/tasks/text/': 'text.mjs',
};

/** typedoc calls it. */
export function load(application) {
  application.renderer.defineTheme('api', ApiTheme);
  application.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const reflection of project.children ?? []) addToSection(project, reflection);
    const errors = project.getReflectionsByKind(ReflectionKind.Class).filter(({ name }) => name.endsWith('Error'));
    for (const { comment } of errors) {
      comment?.blockTags.push(new CommentTag('@group', [{ kind: 'text', text: 'Errors' }]));
    }
  });
}

function addToSection(project, reflection) {
  const file = project.getSymbolIdFromReflection(reflection)?.fileName ?? '';
  const section = Object.entries(SECTIONS).find(([folder]) => file.includes(folder))?.[1];
  if (!section || reflection.name.endsWith('Error')) return;
  const tag = new CommentTag('@group', [{ kind: 'text', text: section }]);
  for (const { comment } of [reflection, ...(reflection.signatures ?? [])]) comment?.blockTags.push(tag);
}
