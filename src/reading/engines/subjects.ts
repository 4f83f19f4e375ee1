import type { KindName, ViewOf } from "../kinds/kinds.ts";
import { checksOf } from "../kinds/order-checks.ts";
import { OpportunityView } from "../views/opportunity.ts";
import { OrderView } from "../views/order.ts";
import type { Subject } from "./engine.ts";

/** The kinds of document of which a second engine may be asked. */
const subjects: { [Name in KindName]?: Subject<ViewOf<Name>> } = {
  order: {
    name: "transport order",
    view: OrderView,
    critical: [
      "/orderNumber",
      "/locations/*/type",
      "/locations/*/countryCode",
      "/locations/*/postalCode",
      "/locations/*/city",
      "/locations/*/startDate",
      "/payments/price",
      "/payments/currency",
      "/payments/paymentDays",
      "/payer/vatCode",
    ],
    stops: "/locations",
    checks: checksOf,
  },
  opportunity: {
    name: "request for the price of a transport",
    view: OpportunityView,
    critical: ["/locations/*/type", "/locations/*/address/countryCode", "/locations/*/address/city"],
    stops: "/locations",
  },
};

/** What a second engine must know of a kind; nothing where none is asked. */
export const subjectOf = <Name extends KindName>(kind: Name): Subject<ViewOf<Name>> | undefined => subjects[kind];
