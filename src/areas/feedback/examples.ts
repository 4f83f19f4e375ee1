import type * as z from "zod";
import type { FeedbackInput, FeedbackView, Metrics } from "./model.ts";

const orderId = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77";
const feedbackId = "0193a5f4-1d0c-7b3e-8f61-2c9a7e4d5b10";

export const inputExample: z.input<typeof FeedbackInput> = {
  subject: { type: "Order", id: orderId },
  rating: "Bad",
  corrections: [
    { path: "/orderNumber", value: "BS-26-04711", comment: "That was the number of the tour." },
    { path: "locations[1].postalCode", value: "53-609" },
  ],
};

export const viewExample: FeedbackView = {
  feedbackId,
  subject: { type: "Order", id: orderId, sequenceId: 0 },
  kind: "order",
  rating: "Bad",
  corrections: [
    {
      path: "/orderNumber",
      before: "T-88213",
      value: "BS-26-04711",
      comment: "That was the number of the tour.",
    },
    { path: "/locations/1/postalCode", value: "53-609" },
  ],
  fields: [
    { field: "/locations/*/city", right: 2, wrong: 0 },
    { field: "/locations/*/postalCode", right: 1, wrong: 1 },
    { field: "/orderNumber", right: 0, wrong: 1 },
  ],
  status: "Learning",
  createdAt: "2026-11-20T08:20:00.000Z",
  updatedAt: "2026-11-20T08:20:00.000Z",
};

export const metricsExample: Metrics = {
  from: "2026-08-31",
  to: "2026-11-22",
  kinds: [{ kind: "order", feedback: 12, right: 290, wrong: 10, accuracy: 0.967 }],
  fields: [{ week: "2026-11-16", kind: "order", field: "/orderNumber", right: 11, wrong: 1, accuracy: 0.917 }],
};
