import { describe, expect, test } from "vitest";
import { reading, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

const invoice = (text: string, name: string) => reading("invoice", text, name);

const party = (role: string, name: string, vat: string) => `<ram:${role}TradeParty><ram:Name>${name}</ram:Name>
<ram:PostalTradeAddress><ram:PostcodeCode>20457</ram:PostcodeCode><ram:LineOne>Hafenstr. 4</ram:LineOne><ram:CityName>Hamburg</ram:CityName><ram:CountryID>DE</ram:CountryID></ram:PostalTradeAddress>
<ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">22/111/3</ram:ID></ram:SpecifiedTaxRegistration>
<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">${vat}</ram:ID></ram:SpecifiedTaxRegistration></ram:${role}TradeParty>`;
const taxOf = (rate: number, net: number) =>
  `<ram:ApplicableTradeTax><ram:CalculatedAmount>${(net * rate) / 100}</ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode><ram:BasisAmount>${net}</ram:BasisAmount><ram:RateApplicablePercent>${rate}</ram:RateApplicablePercent></ram:ApplicableTradeTax>`;
const cii = `<?xml version="1.0"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="r" xmlns:udt="u">
<rsm:ExchangedDocument><ram:ID>R-77</ram:ID><ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime><udt:DateTimeString format="102">20261012</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>
<ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedTradeProduct><ram:Name>Freight</ram:Name></ram:SpecifiedTradeProduct>
<ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>200.00</ram:ChargeAmount><ram:BasisQuantity>100</ram:BasisQuantity></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
<ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="KGM">500</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
<ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax><ram:RateApplicablePercent>19</ram:RateApplicablePercent></ram:ApplicableTradeTax><ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>1000.00</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>
<ram:ApplicableHeaderTradeAgreement>${party("Seller", "Alfa Haulage GmbH", "DE811128135")}${party("Buyer", "Beta Forwarding GmbH", "DE136695976")}<ram:BuyerOrderReferencedDocument><ram:IssuerAssignedID>ZT/1</ram:IssuerAssignedID></ram:BuyerOrderReferencedDocument></ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeDelivery><ram:ActualDeliverySupplyChainEvent><ram:OccurrenceDateTime><udt:DateTimeString format="102">20261008</udt:DateTimeString></ram:OccurrenceDateTime></ram:ActualDeliverySupplyChainEvent></ram:ApplicableHeaderTradeDelivery>
<ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>58</ram:TypeCode><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>DE89 3704 0044 0532 0130 00</ram:IBANID></ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans>
${taxOf(19, 900)}${taxOf(7, 100)}
<ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime><udt:DateTimeString format="102">20261111</udt:DateTimeString></ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>
<ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:LineTotalAmount>1000.00</ram:LineTotalAmount><ram:TaxBasisTotalAmount>1000.00</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="PLN">756.00</ram:TaxTotalAmount><ram:TaxTotalAmount currencyID="EUR">178.00</ram:TaxTotalAmount><ram:GrandTotalAmount>1178.00</ram:GrandTotalAmount><ram:TotalPrepaidAmount>500.00</ram:TotalPrepaidAmount><ram:DuePayableAmount>678.00</ram:DuePayableAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation>
</ram:ApplicableHeaderTradeSettlement></rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`;

const ubl = (root: "Invoice" | "CreditNote", line: string, quantity: string) => `<?xml version="1.0"?>
<${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2" xmlns:cac="a" xmlns:cbc="b">
<cbc:ID>U-5</cbc:ID><cbc:IssueDate>2026-10-12</cbc:IssueDate><cbc:DueDate>2026-11-11</cbc:DueDate><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode><cac:OrderReference><cbc:ID>ZT/2</cbc:ID></cac:OrderReference>
<cac:AccountingSupplierParty><cac:Party><cac:PostalAddress><cbc:StreetName>Hafenstr. 4</cbc:StreetName><cbc:CityName>Hamburg</cbc:CityName><cbc:PostalZone>20457</cbc:PostalZone></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>DE811128135</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>Alfa Haulage GmbH</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty>
<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cac:PayeeFinancialAccount><cbc:ID>DE89370400440532013000</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>
<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">20.00</cbc:TaxAmount><cac:TaxSubtotal><cbc:TaxableAmount>100.00</cbc:TaxableAmount><cbc:TaxAmount>20.00</cbc:TaxAmount><cac:TaxCategory><cbc:Percent>20</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>
<cac:LegalMonetaryTotal><cbc:TaxExclusiveAmount>100.00</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount>120.00</cbc:TaxInclusiveAmount></cac:LegalMonetaryTotal>
<cac:${line}><cbc:${quantity} unitCode="C62">2</cbc:${quantity}><cbc:LineExtensionAmount>100.00</cbc:LineExtensionAmount><cac:Item><cbc:Name>Freight</cbc:Name><cac:ClassifiedTaxCategory><cbc:Percent>20</cbc:Percent></cac:ClassifiedTaxCategory></cac:Item><cac:Price><cbc:PriceAmount>50.00</cbc:PriceAmount></cac:Price></cac:${line}>
</${root}>`;

const fattura = `<?xml version="1.0"?>
<p:FatturaElettronica xmlns:p="http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2" versione="FPR12">
<FatturaElettronicaHeader><CedentePrestatore><DatiAnagrafici><IdFiscaleIVA><IdPaese>IT</IdPaese><IdCodice>00743110157</IdCodice></IdFiscaleIVA><Anagrafica><Denominazione>Alfa Trasporti Srl</Denominazione></Anagrafica></DatiAnagrafici><Sede><Indirizzo>Via Verdi</Indirizzo><NumeroCivico>3</NumeroCivico><CAP>20121</CAP><Comune>Milano</Comune><Nazione>IT</Nazione></Sede></CedentePrestatore></FatturaElettronicaHeader>
<FatturaElettronicaBody><DatiGenerali><DatiGeneraliDocumento><TipoDocumento>TD04</TipoDocumento><Divisa>EUR</Divisa><Data>2026-10-12</Data><Numero>44/A</Numero><ImportoTotaleDocumento>122.00</ImportoTotaleDocumento></DatiGeneraliDocumento></DatiGenerali>
<DatiBeniServizi><DettaglioLinee><Descrizione>Trasporto</Descrizione><Quantita>1.00</Quantita><PrezzoUnitario>100.00</PrezzoUnitario><PrezzoTotale>100.00</PrezzoTotale><AliquotaIVA>22.00</AliquotaIVA></DettaglioLinee><DatiRiepilogo><AliquotaIVA>22.00</AliquotaIVA><ImponibileImporto>100.00</ImponibileImporto><Imposta>22.00</Imposta></DatiRiepilogo></DatiBeniServizi>
<DatiPagamento><DettaglioPagamento><ModalitaPagamento>MP05</ModalitaPagamento><DataScadenzaPagamento>2026-11-11</DataScadenzaPagamento></DettaglioPagamento></DatiPagamento></FatturaElettronicaBody></p:FatturaElettronica>`;

const ksef = `<?xml version="1.0"?>
<Faktura xmlns="http://crd.gov.pl/wzor/2025/06/25/13775/"><Podmiot1><DaneIdentyfikacyjne><NIP>5252344078</NIP><Nazwa>Alfa Przewozy Sp. z o.o.</Nazwa></DaneIdentyfikacyjne><Adres><KodKraju>PL</KodKraju><AdresL1>ul. Leśna 7</AdresL1><AdresL2>61-022 Poznań</AdresL2></Adres></Podmiot1>
<Fa><KodWaluty>PLN</KodWaluty><P_1>2026-10-12</P_1><P_2>FV/9/2026</P_2><P_6>2026-10-08</P_6><P_13_1>1000.00</P_13_1><P_14_1>230.00</P_14_1><P_15>1230.00</P_15><RodzajFaktury>VAT</RodzajFaktury>
<FaWiersz><P_7>Usługa transportowa</P_7><P_8A>szt.</P_8A><P_8B>1</P_8B><P_9A>1000.00</P_9A><P_11>1000.00</P_11><P_12>23</P_12></FaWiersz>
<Platnosc><TerminPlatnosci><Termin>2026-11-11</Termin></TerminPlatnosci><FormaPlatnosci>6</FormaPlatnosci><RachunekBankowy><NrRB>61109010140000071219812874</NrRB></RachunekBankowy></Platnosc></Fa></Faktura>`;

describe("invoices as structured data", () => {
  test("CII, with two tax rates, a price per hundred and the tax in two currencies", async () => {
    const { data, evidence, checks } = await invoice(cii, "factur-x.xml");
    expect(data).toMatchObject({
      number: "R-77",
      issueDate: "2026-10-12",
      saleDate: "2026-10-08",
      dueDate: "2026-11-11",
      seller: {
        name: "Alfa Haulage GmbH",
        vatCode: "DE811128135",
        street: "Hafenstr. 4",
        postalCode: "20457",
        country: "DE",
      },
      buyer: { name: "Beta Forwarding GmbH", vatCode: "DE136695976" },
      iban: "DE89370400440532013000",
      lines: [{ description: "Freight", quantity: 500, unit: "KGM", unitPrice: 2, netAmount: 1000, vatRate: 19 }],
      vatBreakdown: [
        { vatRate: 19, netAmount: 900, vatAmount: 171 },
        { vatRate: 7, netAmount: 100, vatAmount: 7 },
      ],
      netAmount: 1000,
      vatAmount: 178,
      grossAmount: 1178,
      paymentMethod: "BankTransfer",
      orderNumbers: ["ZT/1"],
    });
    expect(evidence.find(({ pointer }) => pointer === "/grossAmount")).toMatchObject({
      confidence: 0.99,
      source: "Document",
    });
    expect(checks.filter(({ passed }) => !passed)).toEqual([]);
  });

  test.each([
    ["Invoice", "InvoiceLine", "InvoicedQuantity"],
    ["CreditNote", "CreditNoteLine", "CreditedQuantity"],
  ] as const)("UBL %s", async (root, line, quantity) => {
    const { data } = await invoice(ubl(root, line, quantity), "invoice.xml");
    expect(data).toMatchObject({
      number: "U-5",
      kind: root,
      issueDate: "2026-10-12",
      seller: { name: "Alfa Haulage GmbH", vatCode: "DE811128135" },
      lines: [{ description: "Freight", quantity: 2, unitPrice: 50, netAmount: 100, vatRate: 20 }],
      netAmount: 100,
      vatAmount: 20,
      grossAmount: 120,
      orderNumbers: ["ZT/2"],
    });
  });

  test.each([
    ["CII", "R-77", () => cii.replace("<ram:TypeCode>380<", "<ram:TypeCode>383<")],
    ["FatturaPA", "44/A", () => fattura.replace("TD04", "TD05")],
  ])("a debit note is not reported as an invoice: %s", async (_, number, text) => {
    const { data } = await invoice(text(), "debit.xml");
    expect(data.number).toBe(number);
    expect(data).not.toHaveProperty("kind");
  });

  test("an invoice of many lines, whose words have two blanks, ends in time", async () => {
    const text = ubl("Invoice", "InvoiceLine", "InvoicedQuantity");
    const [line = ""] = /<cac:InvoiceLine>.*<\/cac:InvoiceLine>/s.exec(text) ?? [];
    const lines = Array.from({ length: 1500 }, (_, at) => line.replace("Freight", `Freight  and toll ${at}`));
    const { data, evidence } = await invoice(text.replace(line, lines.join("")), "long.xml");
    expect(data.lines).toHaveLength(1500);
    expect(evidence.find(({ pointer }) => pointer === "/lines/1499/description")).toMatchObject({
      value: "Freight and toll 1499",
      text: expect.stringContaining("Freight and toll 1499"),
    });
  });

  test("FatturaPA", async () => {
    expect((await invoice(fattura, "fattura.xml")).data).toMatchObject({
      number: "44/A",
      kind: "CreditNote",
      seller: { name: "Alfa Trasporti Srl", vatCode: "IT00743110157", street: "Via Verdi 3", city: "Milano" },
      netAmount: 100,
      vatAmount: 22,
      grossAmount: 122,
      dueDate: "2026-11-11",
    });
  });

  test("KSeF", async () => {
    expect((await invoice(ksef, "ksef.xml")).data).toMatchObject({
      number: "FV/9/2026",
      kind: "Invoice",
      saleDate: "2026-10-08",
      seller: { vatCode: "PL5252344078", postalCode: "61-022", city: "Poznań", street: "ul. Leśna 7" },
      iban: "PL61109010140000071219812874",
      netAmount: 1000,
      vatAmount: 230,
      grossAmount: 1230,
      paymentMethod: "BankTransfer",
    });
  });

  test("entities of the XML document type are not resolved", async () => {
    const hostile = cii
      .replace(
        "<rsm:CrossIndustryInvoice",
        '<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd">]>\n<rsm:CrossIndustryInvoice',
      )
      .replace("<ram:Name>Freight", "<ram:Name>&file;Freight");
    const { data } = await invoice(hostile, "factur-x.xml");
    expect(data.lines?.[0]?.description).toMatch(/Freight$/);
    expect(JSON.stringify(data)).not.toContain("root:");
  });
});
