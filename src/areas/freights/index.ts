import { defineArea } from "../define-area.ts";
import { objectOf } from "../../platform/aggregates.ts";
import { events } from "./model.ts";
import { book } from "./offers/booking.ts";
import { offerOperations } from "./offers/operations.ts";
import { operations } from "./operations.ts";
import { follow } from "./publications/jobs.ts";
import { release } from "./upsert.ts";

/** Freights, and carriers' offers for them. */
export const freights = defineArea({
  operations: { freights: operations, offers: offerOperations },
  descriptions: {
    freights: "Loads to be carried: published at a price that may rise, until they are booked or expire.",
    offers: "Carriers' offers for a freight, one of which is accepted.",
  },
  events: { Freight: events },
  jobs: {
    "freights.book": book,
    "freights.publish": ({ company, id }, env) => objectOf(env, "FREIGHTS", company, id).tellSources(),
    "freights.release": release,
    "sources.follow": follow,
  },
});
