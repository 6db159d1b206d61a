// Real faults of a browser, caused on purpose: contexts are destroyed, builder methods throw, builds reject. `end()`
// undoes all changes of the page's WebNN.

const undo = [];
const contexts = [];
/** Created and not yet destroyed objects. */
const held = new Set();

function wrap(prototype, method, replace) {
  const original = prototype[method];
  prototype[method] = replace(original);
  undo.push(() => {
    prototype[method] = original;
  });
}

/** Starts to count created and destroyed objects. */
export function watch() {
  const counted = (create, keep) =>
    async function (...args) {
      const thing = await create.apply(this, args);
      held.add(thing);
      keep?.(thing);
      return thing;
    };
  wrap(ML.prototype, 'createContext', (create) => counted(create, (context) => contexts.push(context)));
  wrap(MLContext.prototype, 'createTensor', (create) => counted(create));
  wrap(MLGraphBuilder.prototype, 'build', (build) => counted(build));
  for (const kind of [MLContext, MLTensor, MLGraph]) {
    wrap(
      kind.prototype,
      'destroy',
      (destroy) =>
        function () {
          held.delete(this);
          return destroy.call(this);
        },
    );
  }
}

/** Number of contexts, graphs and tensors that are not destroyed. */
export function heldCount() {
  return held.size;
}

/** Loses the newest context. It counts as held until the package destroys it, too. */
export function lose() {
  const context = contexts.at(-1);
  context.destroy();
  held.add(context);
}

/** Loses the newest context in the middle of the next `times` calls of a method of MLContext or MLGraphBuilder. */
export function loseDuring(kind, method, times) {
  let left = times;
  wrap(
    globalThis[kind].prototype,
    method,
    (original) =>
      function (...args) {
        if (left-- <= 0) return original.apply(this, args);
        const result = original.apply(this, args);
        lose();
        return result;
      },
  );
}

/** The operator methods throw at these labels, whatever opSupportLimits() promises. */
export function throwAt(labels) {
  forEachOperator((_, { label }) => {
    if (labels.includes(label)) throw new TypeError(`[${label}] this operator was a promise only.`);
  });
}

/** Lets every operator method call `look(builder, options)` first. */
function forEachOperator(look) {
  const { constructor, build, input, constant, ...operators } = Object.getOwnPropertyDescriptors(MLGraphBuilder.prototype);
  for (const method of Object.keys(operators)) {
    wrap(
      MLGraphBuilder.prototype,
      method,
      (original) =>
        function (...args) {
          look(this, args.at(-1));
          return original.apply(this, args);
        },
    );
  }
}

/** The next builds reject with these messages, one after the other. */
export function rejectBuilds(messages) {
  const left = [...messages];
  beforeBuild(() => {
    const message = left.shift();
    if (message !== undefined) throw new DOMException(message, 'OperationError');
  });
}

/** Lets every build call `check(builder)` first, which rejects the build by throwing. */
function beforeBuild(check) {
  wrap(
    MLGraphBuilder.prototype,
    'build',
    (build) =>
      async function (...args) {
        check(this);
        return build.apply(this, args);
      },
  );
}

/** Builds of graphs with this operator label reject, with a message without a name. */
export function rejectGraphsWith(label, message) {
  const rejected = new WeakSet();
  forEachOperator((builder, options) => {
    if (options.label === label) rejected.add(builder);
  });
  beforeBuild((builder) => {
    if (rejected.has(builder)) throw new DOMException(message, 'NotSupportedError');
  });
}

/**
 * Changes options of the operator with this label: to values that this browser's builder accepts and its backend does
 * not.
 */
export function changeOptions(label, changes) {
  forEachOperator((_, options) => {
    if (options.label === label) Object.assign(options, changes);
  });
}

/** Returns gatherND indices of at least five axes: they crash Chromium 147's GPU process. */
export function widenIndices() {
  wrap(
    MLGraphBuilder.prototype,
    'gatherND',
    (gatherND) =>
      function (input, indices, options) {
        const more = new Array(Math.max(0, 5 - indices.shape.length)).fill(1);
        const result = gatherND.call(this, input, this.reshape(indices, [...more, ...indices.shape]), options);
        return this.reshape(result, result.shape.slice(more.length));
      },
  );
}

export function end() {
  while (undo.length > 0) undo.pop()();
  contexts.length = 0;
  held.clear();
}
