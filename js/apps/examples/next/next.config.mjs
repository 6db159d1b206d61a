// Static files in out/; a server of Next.js works as well.
export default { output: 'export', distDir: 'dist' };
