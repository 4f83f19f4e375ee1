declare module "tesseract.js-core/tesseract-core-simd-lstm.js" {
  const makeCore: (options: object) => Promise<never>;
  export default makeCore;
}
