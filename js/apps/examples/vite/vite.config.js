// The development server of Vite 7 moves the scripts of packages away from their files, unless it is told not to.
export default { optimizeDeps: { exclude: ['tflite-webnn'] } };
