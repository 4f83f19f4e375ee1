/** Orders given to carriers: their papers, and the page on which a carrier hands them in. */
export { carrierOrderRow, events, read, type CarrierOrder } from "./order.ts";
export { deletePapers, takePaper } from "./upload-document.ts";
export { ordersNumbered } from "./numbered.ts";
export { operations } from "./operations.ts";
export { commands } from "./commands.ts";
export { CarrierOrderInput } from "./shapes.ts";
export { create, createOnce } from "./upsert.ts";
