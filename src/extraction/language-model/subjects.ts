import { checksOfNote } from "../kinds/cmr/checks.ts";
import { checksOfDriverDocument } from "../kinds/driver-document/checks.ts";
import { checksOfFine } from "../kinds/fine/checks.ts";
import { checksOfPolicy } from "../kinds/insurance/checks.ts";
import { checksOf as checksOfInvoice } from "../kinds/invoice/checks.ts";
import { opportunityChecks } from "../kinds/opportunity/checks.ts";
import { missingIn } from "../kinds/opportunity/opportunity.ts";
import type { KindName, ViewOf } from "../kinds/kinds.ts";
import { checksOf as checksOfOrder } from "../kinds/order/checks.ts";
import { checksOf as checksOfReceipt } from "../kinds/receipt/receipt.ts";
import { CmrView } from "../kinds/cmr/view.ts";
import { DriverDocumentView } from "../kinds/driver-document/view.ts";
import { FineView } from "../kinds/fine/view.ts";
import { InsuranceView } from "../kinds/insurance/view.ts";
import { InvoiceView } from "../kinds/invoice/view.ts";
import { OpportunityView } from "../kinds/opportunity/view.ts";
import { OrderView } from "../kinds/order/view.ts";
import { ReceiptView } from "../kinds/receipt/view.ts";
import type { Subject } from "./engine.ts";

const order: Subject<OrderView> = {
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
  checks: checksOfOrder,
};

const opportunity: Subject<OpportunityView> = {
  name: "request for the price of a transport",
  view: OpportunityView,
  critical: ["/locations/*/type", "/locations/*/address/countryCode", "/locations/*/address/city"],
  stops: "/locations",
  checks: (data) => opportunityChecks(data),
  completed: (data) => ({ ...data, missing: missingIn(data) }),
};

const invoice: Subject<InvoiceView> = {
  name: "invoice or credit note",
  view: InvoiceView,
  critical: ["/number", "/issueDate", "/seller/vatCode", "/buyer/vatCode", "/currency", "/netAmount", "/grossAmount"],
  checks: checksOfInvoice,
  completed: (data, checks) => ({ ...data, checks }),
};

const receipt: Subject<ReceiptView> = {
  name: "receipt",
  view: ReceiptView,
  critical: ["/issuedAt", "/merchant/name", "/grossAmount", "/currency"],
  checks: checksOfReceipt,
};

const cmr: Subject<CmrView> = {
  name: "CMR consignment note",
  view: CmrView,
  critical: ["/number", "/sender/name", "/consignee/name", "/takingOver/place", "/delivery/place"],
  checks: checksOfNote,
};

const fine: Subject<FineView> = {
  name: "fine",
  view: FineView,
  critical: ["/reference", "/authority", "/offenceAt", "/licensePlate", "/amount", "/currency"],
  checks: checksOfFine,
};

const insurance: Subject<InsuranceView> = {
  name: "insurance policy or certificate",
  view: InsuranceView,
  critical: ["/policyNumber", "/insurer", "/validFrom", "/validTo"],
  checks: checksOfPolicy,
};

const driverDocument: Subject<DriverDocumentView> = {
  name: "driver's document",
  view: DriverDocumentView,
  critical: ["/number", "/issuingCountry", "/expiresAt"],
  checks: (data) => checksOfDriverDocument(data, undefined),
};

const subjects = { order, opportunity, invoice, receipt, cmr, fine, insurance, "driver-document": driverDocument };

/** What a second engine must know of a kind; nothing where none is asked. */
export const subjectOf = <Name extends KindName>(kind: Name): Subject<ViewOf<Name>> | undefined =>
  (subjects as Partial<Record<string, unknown>>)[kind] as Subject<ViewOf<Name>> | undefined;
