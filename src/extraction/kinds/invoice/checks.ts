import type { Check } from "../../document/extraction-result.ts";
import { isIban } from "../../entities/codes.ts";
import { cent, netAndVatMakeGross, passedOr, vatCodeChecksum } from "../checks.ts";
import type { InvoiceLine, InvoiceView } from "./view.ts";

const day = 86_400_000;
/** Percent. The highest VAT rate of Europe; a higher one is misread. */
const maxRate = 27;

/** Whether the values agree with each other. Each check covers only values that the document has. */
export function checkInvoice(invoice: InvoiceView): Check[] {
  return [
    ...netAndVatMakeGross(invoice),
    ...lineSums(invoice),
    ...lineTotals(invoice),
    ...shares(invoice),
    ...rates(invoice),
    ...duplicates(invoice),
    ...vatCodeChecksum(invoice.seller?.vatCode, "/seller/vatCode"),
    ...vatCodeChecksum(invoice.buyer?.vatCode, "/buyer/vatCode"),
    ...account(invoice),
    ...days(invoice),
  ];
}

/** The figures of one line: quantity × price = net, net + tax = gross. */
function lineSums({ lines = [] }: InvoiceView): Check[] {
  const wrong = lines.flatMap((line, at) =>
    agrees(line) ? [] : [`/lines/${at}/${line.netAmount === undefined ? "grossAmount" : "netAmount"}`],
  );
  if (lines.length === 0) return [];
  return [passedOr("LinesAddUp", wrong.length === 0, "Quantity times price is the sum of each line.", wrong)];
}

function agrees({ quantity, unitPrice, netAmount, vatAmount, grossAmount }: InvoiceLine): boolean {
  const sum = netAmount ?? grossAmount;
  const product = quantity !== undefined && unitPrice !== undefined ? quantity * unitPrice : undefined;
  const rounding = Math.max(cent, Math.abs(quantity ?? 0) * 0.005);
  const multiplied =
    product === undefined ||
    sum === undefined ||
    Math.abs(product - sum) <= rounding ||
    Math.abs(product) > Math.abs(sum);
  const taxed =
    netAmount === undefined ||
    vatAmount === undefined ||
    grossAmount === undefined ||
    Math.abs(netAmount + vatAmount - grossAmount) <= 2 * cent;
  return multiplied && taxed;
}

/** The lines add up to the net total, or to the gross total where prices include tax. */
function lineTotals({ lines = [], netAmount, grossAmount }: InvoiceView): Check[] {
  const sums = lines.map((line) => line.netAmount ?? line.grossAmount);
  if (lines.length === 0 || sums.includes(undefined) || (netAmount === undefined && grossAmount === undefined))
    return [];
  const sum = sums.reduce<number>((total, each) => total + (each ?? 0), 0);
  const rounding = cent + 0.005 * lines.length;
  const passed = [netAmount, grossAmount].some((whole) => whole !== undefined && Math.abs(sum - whole) <= rounding);
  const detail = `The lines make ${Math.round(sum * 100) / 100}.`;
  return [passedOr("LinesMakeTotal", passed, detail, [netAmount === undefined ? "/grossAmount" : "/netAmount"])];
}

function shares({ vatBreakdown = [], netAmount, vatAmount }: InvoiceView): Check[] {
  if (vatBreakdown.length === 0) return [];
  const wrong = vatBreakdown.flatMap(({ vatRate, netAmount: net, vatAmount: vat }, at) =>
    vatRate === undefined ||
    net === undefined ||
    vat === undefined ||
    Math.abs((net * vatRate) / 100 - vat) <= Math.max(0.03, Math.abs(vat) * 0.002)
      ? []
      : [`/vatBreakdown/${at}/vatAmount`],
  );
  const sum = (name: "netAmount" | "vatAmount") => vatBreakdown.reduce((total, share) => total + (share[name] ?? 0), 0);
  const whole =
    (netAmount === undefined || Math.abs(sum("netAmount") - netAmount) <= 0.05) &&
    (vatAmount === undefined || Math.abs(sum("vatAmount") - vatAmount) <= 0.05);
  return [
    passedOr("VatByRate", wrong.length === 0, "The tax of each rate is that part of its net sum.", wrong),
    passedOr("VatSharesMakeTotal", whole, "The sums by rate make the sums of the document.", [
      "/netAmount",
      "/vatAmount",
    ]),
  ];
}

function rates({ lines = [], vatBreakdown = [] }: InvoiceView): Check[] {
  const odd = (rate: number | undefined) => rate !== undefined && (rate < 0 || rate > maxRate);
  const wrong = [
    ...lines.flatMap(({ vatRate }, at) => (odd(vatRate) ? [`/lines/${at}/vatRate`] : [])),
    ...vatBreakdown.flatMap(({ vatRate }, at) => (odd(vatRate) ? [`/vatBreakdown/${at}/vatRate`] : [])),
  ];
  const hasRates = [...lines, ...vatBreakdown].some(({ vatRate }) => vatRate !== undefined);
  return hasRates ? [passedOr("VatRates", wrong.length === 0, `No rate is above ${maxRate} %.`, wrong)] : [];
}

/** A repeated line may be right, or a double charge. */
function duplicates({ lines = [] }: InvoiceView): Check[] {
  const key = ({ description, quantity, netAmount, grossAmount }: InvoiceLine) =>
    description && JSON.stringify([description.toLowerCase(), quantity, netAmount ?? grossAmount]);
  const keys = lines.map(key);
  const twice = keys.flatMap((each, at) => (each && keys.indexOf(each) < at ? [`/lines/${at}/description`] : []));
  return lines.length > 1 ? [passedOr("NoLineTwice", twice.length === 0, "No line is printed twice.", twice)] : [];
}

function account({ iban }: InvoiceView): Check[] {
  return iban ? [passedOr("IbanChecksum", isIban(iban), `The check digits of ${iban} are right.`, ["/iban"])] : [];
}

/** The due date is not before the invoice date and matches the payment term. */
function days({ issueDate, dueDate, paymentDays }: InvoiceView): Check[] {
  if (!issueDate || !dueDate) return [];
  const between = Math.round((Date.parse(dueDate) - Date.parse(issueDate)) / day);
  const agrees = paymentDays === undefined || Math.abs(between - paymentDays) <= 3;
  return [
    passedOr("DueAfterIssue", between >= 0, "The invoice is due on its day or later.", ["/issueDate", "/dueDate"]),
    passedOr("DueDateFitsTerm", agrees, `The invoice is due after ${between} days.`, ["/dueDate", "/paymentDays"]),
  ];
}
