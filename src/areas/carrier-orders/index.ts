/** Orders given to carriers: their papers, and the page on which a carrier hands them in. */
export { carrierOrderRow, events, read, type CarrierOrder } from "./order.ts";
export { deletePapers, takePaper } from "./hand-in.ts";
export { ordersNumbered } from "./numbered.ts";
export { operations } from "./operations.ts";
export { steps } from "./steps.ts";
export { CarrierOrderInput } from "./shapes.ts";
export { create, createOnce } from "./writing.ts";
