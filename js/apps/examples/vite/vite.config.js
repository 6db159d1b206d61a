// The development server of Vite 7 moves the scripts of packages away from their files, unless they are excluded.
export default { optimizeDeps: { exclude: ['tflite-webnn'] } };
