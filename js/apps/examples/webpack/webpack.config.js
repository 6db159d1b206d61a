export default {
  mode: 'production',
  entry: './main.js',
  // The modules lie next to the scripts, wherever the page is.
  output: { publicPath: 'auto', clean: true },
  // The modules are larger than webpack's limits for pages; a browser loads one of them.
  performance: { hints: false },
};
