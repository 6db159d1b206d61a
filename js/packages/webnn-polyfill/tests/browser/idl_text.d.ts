/** esbuild loads the IDL as text. */
declare module '@webref/idl/webnn.idl' {
  const text: string;
  export default text;
}
