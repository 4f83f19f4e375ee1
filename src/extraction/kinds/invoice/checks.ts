import type { Check } from "../../document/extraction-result.ts";
import { daysBetweenDates } from "../../entities/calendar.ts";
import { isIban } from "../../entities/ibans.ts";
import { cent, checkFromViolations, isWithin, netAndVatMakeGross, passedOr, vatCodeChecksum } from "../checks.ts";
import { maxVatRate, rounding } from "./scores.ts";
import type { InvoiceLine, InvoiceView } from "./view.ts";

/** In days. Weekends and holidays may move the due date. */
const maxTermDifference = 3;
/** Rounding error of one factor or summand. */
const halfACent = 0.005;

/** Checks whether the values agree with each other. A check is omitted if values for it are missing. */
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

/** An amount below quantity × price passes, because of discounts. */
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
  const ofPrice = Math.max(cent, Math.abs(quantity ?? 0) * halfACent);
  const multiplied =
    product === undefined ||
    sum === undefined ||
    Math.abs(product - sum) <= ofPrice ||
    Math.abs(product) > Math.abs(sum);
  const taxed =
    netAmount === undefined ||
    vatAmount === undefined ||
    grossAmount === undefined ||
    Math.abs(netAmount + vatAmount - grossAmount) <= 2 * cent;
  return multiplied && taxed;
}

/** If prices include tax, the lines add up to the gross total. */
function lineTotals({ lines = [], netAmount, grossAmount }: InvoiceView): Check[] {
  const sums = lines.map((line) => line.netAmount ?? line.grossAmount);
  if (lines.length === 0 || sums.includes(undefined) || (netAmount === undefined && grossAmount === undefined))
    return [];
  const sum = sums.reduce<number>((total, each) => total + (each ?? 0), 0);
  const ofLines = cent + halfACent * lines.length;
  const passed = [netAmount, grossAmount].some((whole) => whole !== undefined && Math.abs(sum - whole) <= ofLines);
  const detail = `The sum of the lines, ${Math.round(sum * 100) / 100}, must equal the total.`;
  return [passedOr("LinesMakeTotal", passed, detail, [netAmount === undefined ? "/grossAmount" : "/netAmount"])];
}

function shares({ vatBreakdown = [], netAmount, vatAmount }: InvoiceView): Check[] {
  if (vatBreakdown.length === 0) return [];
  const wrong = vatBreakdown.flatMap(({ vatRate, netAmount: net, vatAmount: vat }, at) =>
    vatRate === undefined ||
    net === undefined ||
    vat === undefined ||
    isWithin((net * vatRate) / 100, vat, rounding.vatOfRate)
      ? []
      : [`/vatBreakdown/${at}/vatAmount`],
  );
  const sum = (name: "netAmount" | "vatAmount") => vatBreakdown.reduce((total, share) => total + (share[name] ?? 0), 0);
  const whole =
    (netAmount === undefined || Math.abs(sum("netAmount") - netAmount) <= rounding.sharesOfTotal) &&
    (vatAmount === undefined || Math.abs(sum("vatAmount") - vatAmount) <= rounding.sharesOfTotal);
  return [
    checkFromViolations("VatByRate", "The VAT of each rate must be that percentage of its net amount.", wrong),
    passedOr("VatSharesMakeTotal", whole, "The amounts by VAT rate must add up to the totals of the document.", [
      "/netAmount",
      "/vatAmount",
    ]),
  ];
}

function rates({ lines = [], vatBreakdown = [] }: InvoiceView): Check[] {
  const odd = (rate: number | undefined) => rate !== undefined && (rate < 0 || rate > maxVatRate);
  const wrong = [
    ...lines.flatMap(({ vatRate }, at) => (odd(vatRate) ? [`/lines/${at}/vatRate`] : [])),
    ...vatBreakdown.flatMap(({ vatRate }, at) => (odd(vatRate) ? [`/vatBreakdown/${at}/vatRate`] : [])),
  ];
  const hasRates = [...lines, ...vatBreakdown].some(({ vatRate }) => vatRate !== undefined);
  return hasRates ? [checkFromViolations("VatRates", `VAT rates must be between 0 and ${maxVatRate} %.`, wrong)] : [];
}

/** Repeated lines may be double charges. */
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

function days({ issueDate, dueDate, paymentDays }: InvoiceView): Check[] {
  if (!issueDate || !dueDate) return [];
  const between = Math.round(daysBetweenDates(issueDate, dueDate));
  const agrees = paymentDays === undefined || Math.abs(between - paymentDays) <= maxTermDifference;
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
