// dependency-cruiser's `webpackConfig`: the package's names stand for the files that tsconfig's paths give them.
const { join } = require('node:path');
const { paths } = require('./tsconfig.base.json').compilerOptions;

const own = Object.entries(paths).filter(([name]) => name.startsWith('tflite-webnn'));

module.exports = { resolve: { alias: Object.fromEntries(own.map(([name, [file]]) => [`${name}$`, join(__dirname, file)])) } };
