import type { Check } from "../../document/extraction-result.ts";
import { isIban } from "../../entities/codes.ts";
import { cent, checkFromViolations, netAndVatMakeGross, passedOr, vatCodeChecksum } from "../checks.ts";
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
  return [checkFromViolations("LinesAddUp", "Quantity times unit price must equal the amount of each line.", wrong)];
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
  const detail = `The sum of the lines, ${Math.round(sum * 100) / 100}, must equal the total.`;
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
    checkFromViolations("VatByRate", "The VAT of each rate must be that percentage of its net amount.", wrong),
    passedOr("VatSharesMakeTotal", whole, "The amounts by VAT rate must add up to the totals of the document.", [
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
  return hasRates ? [checkFromViolations("VatRates", `VAT rates must be between 0 and ${maxRate} %.`, wrong)] : [];
}

/** A repeated line may be right, or a double charge. */
function duplicates({ lines = [] }: InvoiceView): Check[] {
  const key = ({ description, quantity, netAmount, grossAmount }: InvoiceLine) =>
    description && JSON.stringify([description.toLowerCase(), quantity, netAmount ?? grossAmount]);
  const keys = lines.map(key);
  const twice = keys.flatMap((each, at) => (each && keys.indexOf(each) < at ? [`/lines/${at}/description`] : []));
  return lines.length > 1 ? [checkFromViolations("NoLineTwice", "No line may occur twice.", twice)] : [];
}

function account({ iban }: InvoiceView): Check[] {
  return iban ? [passedOr("IbanChecksum", isIban(iban), `IBAN ${iban} must have valid check digits.`, ["/iban"])] : [];
}

/** The due date is not before the invoice date and matches the payment term. */
function days({ issueDate, dueDate, paymentDays }: InvoiceView): Check[] {
  if (!issueDate || !dueDate) return [];
  const between = Math.round((Date.parse(dueDate) - Date.parse(issueDate)) / day);
  const agrees = paymentDays === undefined || Math.abs(between - paymentDays) <= 3;
  return [
    passedOr("DueAfterIssue", between >= 0, "The due date must not be before the issue date.", [
      "/issueDate",
      "/dueDate",
    ]),
    passedOr(
      "DueDateFitsTerm",
      agrees,
      `The due date, ${between} days after the issue date, must match the payment term.`,
      ["/dueDate", "/paymentDays"],
    ),
  ];
}
