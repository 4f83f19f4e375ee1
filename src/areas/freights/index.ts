/** Freights: what is to be carried, published at a price that may grow, until somebody gets it or its time is over. */
export { BoardQuery, searchBoard, type BoardPage } from "./board.ts";
export { freightRow } from "./archive.ts";
export { publicExample } from "./example.ts";
export { events, publicView, type Freight } from "./freight.ts";
export { nextDue } from "./lifecycle.ts";
export { book } from "./booking.ts";
export * as guests from "./guest.ts";
export { offerRows } from "./offer-list.ts";
export { offerOperations } from "./offer-operations.ts";
export { offerSteps } from "./offer-steps.ts";
export { operations } from "./operations.ts";
export { publicationSteps } from "./publication-steps.ts";
export { follow, publish } from "./publishing.ts";
export { mailShares } from "./share-mails.ts";
export { shareSteps } from "./share-steps.ts";
export { freightSteps as steps } from "./steps.ts";
export { release } from "./writing.ts";
export { PublicFreight, type FreightView } from "./views.ts";
