import { checksOfNote } from "../kinds/cmr/checks.ts";
import { checksOfDriverDocument } from "../kinds/drivers/checks.ts";
import { checksOfFine } from "../kinds/fines/checks.ts";
import { checksOfPolicy } from "../kinds/insurance/checks.ts";
import { checksOf as checksOfInvoice } from "../kinds/invoices/checks.ts";
import { opportunityChecks } from "../kinds/opportunities/checks.ts";
import { missingIn } from "../kinds/opportunities/opportunity.ts";
import type { KindName, ViewOf } from "../kinds/kinds.ts";
import { checksOf as checksOfOrder } from "../kinds/orders/checks.ts";
import { checksOf as checksOfReceipt } from "../kinds/receipts/receipt.ts";
import { CmrView } from "../views/cmr.ts";
import { DriverDocumentView } from "../views/driver-document.ts";
import { FineView } from "../views/fine.ts";
import { InsuranceView } from "../views/insurance.ts";
import { InvoiceView } from "../views/invoice.ts";
import { OpportunityView } from "../views/opportunity.ts";
import { OrderView } from "../views/order.ts";
import { ReceiptView } from "../views/receipt.ts";
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
