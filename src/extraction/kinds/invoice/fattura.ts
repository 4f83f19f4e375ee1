import type { InvoiceLine, InvoiceView, VatShare } from "./view.ts";
import type { Party } from "../../document/shapes.ts";
import { roundToCents, omitEmpty, sumOfAmounts, unique, bareCode } from "../structured-values.ts";
import { all, mapAll, dateAt, first, numberAt, textAt, type Element } from "./xml-tree.ts";

/** Codes without a value in the view, such as debit notes and integrations by the buyer, are left out. */
const kinds: Record<string, InvoiceView["kind"]> = {
  TD01: "Invoice",
  TD02: "Prepayment",
  TD03: "Prepayment",
  TD04: "CreditNote",
  TD06: "Invoice",
  TD07: "Invoice",
  TD08: "CreditNote",
  TD24: "Invoice",
  TD25: "Invoice",
  TD26: "Invoice",
};
const methods: Record<string, InvoiceView["paymentMethod"]> = {
  MP01: "Cash",
  MP05: "BankTransfer",
  MP08: "Card",
};

/** Maps the first invoice of an Italian FatturaPA. Undefined for another root element. */
export function invoiceInFattura(root: Element): InvoiceView | undefined {
  if (root.name !== "FatturaElettronica") return undefined;
  const [head, body] = [first(root, "FatturaElettronicaHeader"), first(root, "FatturaElettronicaBody")];
  const general = first(body, "DatiGenerali");
  const document = first(general, "DatiGeneraliDocumento");
  const payment = first(body, "DatiPagamento/DettaglioPagamento");
  const shares = mapAll(body, "DatiBeniServizi/DatiRiepilogo", shareOf);
  const sum = (name: "netAmount" | "vatAmount") => sumOfAmounts(shares.map((share) => share[name] ?? 0));
  const [net, vat] = [sum("netAmount"), sum("vatAmount")];
  return omitEmpty<InvoiceView>({
    number: textAt(document, "Numero"),
    kind: kinds[textAt(document, "TipoDocumento") ?? ""],
    issueDate: dateAt(document, "Data"),
    saleDate: dateAt(general, "DatiDDT/DataDDT"),
    dueDate: dateAt(payment, "DataScadenzaPagamento"),
    seller: partyOf(first(head, "CedentePrestatore")),
    buyer: partyOf(first(head, "CessionarioCommittente")),
    iban: bareCode(textAt(payment, "IBAN")),
    currency: textAt(document, "Divisa"),
    lines: mapAll(body, "DatiBeniServizi/DettaglioLinee", lineOf),
    netAmount: net,
    vatAmount: vat,
    grossAmount:
      numberAt(document, "ImportoTotaleDocumento") ??
      (net === undefined || vat === undefined ? undefined : roundToCents(net + vat)),
    vatBreakdown: shares,
    paymentMethod: methods[textAt(payment, "ModalitaPagamento") ?? ""],
    paymentDays: numberAt(payment, "GiorniTerminiPagamento"),
    orderNumbers: unique(all(general, "DatiOrdineAcquisto").map((order) => textAt(order, "IdDocumento"))),
  });
}

function partyOf(party: Element | undefined): Party | undefined {
  const person = first(party, "DatiAnagrafici");
  const name = first(person, "Anagrafica");
  const seat = first(party, "Sede");
  const tax = first(person, "IdFiscaleIVA");
  const named = [textAt(name, "Nome"), textAt(name, "Cognome")].filter(Boolean).join(" ");
  const street = [textAt(seat, "Indirizzo"), textAt(seat, "NumeroCivico")].filter(Boolean).join(" ");
  return omitEmpty<Party>({
    name: textAt(name, "Denominazione") ?? named,
    vatCode: tax && bareCode(`${textAt(tax, "IdPaese") ?? ""}${textAt(tax, "IdCodice") ?? ""}`),
    country: textAt(seat, "Nazione"),
    postalCode: textAt(seat, "CAP"),
    city: textAt(seat, "Comune"),
    street,
    contactPerson: omitEmpty({
      email: textAt(party, "Contatti/Email"),
      phone: textAt(party, "Contatti/Telefono"),
    }),
  });
}

function lineOf(line: Element): InvoiceLine | undefined {
  return omitEmpty<InvoiceLine>({
    description: textAt(line, "Descrizione"),
    quantity: numberAt(line, "Quantita"),
    unit: textAt(line, "UnitaMisura"),
    unitPrice: numberAt(line, "PrezzoUnitario"),
    netAmount: numberAt(line, "PrezzoTotale"),
    vatRate: numberAt(line, "AliquotaIVA"),
  });
}

function shareOf(share: Element): VatShare | undefined {
  return omitEmpty<VatShare>({
    vatRate: numberAt(share, "AliquotaIVA"),
    netAmount: numberAt(share, "ImponibileImporto"),
    vatAmount: numberAt(share, "Imposta"),
  });
}
