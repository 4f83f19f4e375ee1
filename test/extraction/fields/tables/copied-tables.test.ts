import { describe, expect, test } from "vitest";
import { reading, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

describe("rows of a table that was pasted into a text", () => {
  const text = (table: string, net = "1 640,50", tax = "377,32", gross = "2 017,82") => `Faktura VAT nr FS 418/11/2026
Data wystawienia: 12.11.2026
Termin płatności: 12.12.2026

Sprzedawca: Trans Przykład Sp. z o.o., ul. Wzorcowa 5, 60-001 Poznań, NIP 1234563218
Nabywca: Beispiel Spedition GmbH, Hafenstraße 12, 20457 Hamburg, DE123456788

${table}

Razem netto: ${net} EUR
VAT 23 %: ${tax} EUR
Razem brutto: ${gross} EUR`;
  const lines = [
    { description: "Transport Poznań - Hamburg", quantity: 1, unitPrice: 1600, netAmount: 1600 },
    { description: "Postój; Hamburg", quantity: 1, unitPrice: 40.5, netAmount: 40.5 },
  ];

  test.for<[string, string[]]>([
    [
      "semicolons",
      [
        "Lp.;Nazwa usługi;Ilość;Cena netto;Wartość netto;VAT",
        "1;Transport Poznań - Hamburg;1;1 600,00;1 600,00;23%",
        '2;"Postój; Hamburg";1;40,50;40,50;23%',
      ],
    ],
    [
      "tabs",
      [
        "Lp.\tNazwa usługi\tIlość\tCena netto\tWartość netto\tVAT",
        "1\tTransport Poznań - Hamburg\t1\t1 600,00\t1 600,00\t23%",
        "2\tPostój; Hamburg\t1\t40,50\t40,50\t23%",
      ],
    ],
    [
      "bars",
      [
        "| Lp. | Nazwa usługi | Ilość | Cena netto | Wartość netto | VAT |",
        "|---|---|---|---|---|---|",
        "| 1 | Transport Poznań - Hamburg | 1 | 1 600,00 | 1 600,00 | 23% |",
        "| 2 | Postój; Hamburg | 1 | 40,50 | 40,50 | 23% |",
      ],
    ],
  ])("with %s are the lines of an invoice", async ([, rows]) => {
    const { data } = await reading("invoice", text(rows.join("\n")));
    expect(data).toMatchObject({ number: "FS 418/11/2026", lines, netAmount: 1640.5, grossAmount: 2017.82 });
  });

  test.for([
    ["German", "Pos.;Bezeichnung;Menge;Einzelpreis;Gesamtpreis", "Frachtkosten Köln - Lyon;2;410,00;820,00"],
    ["French", "N°;Désignation;Quantité;Prix unitaire;Montant HT", "Transport Lille - Metz;2;410,00;820,00"],
    ["Italian", "N.;Descrizione;Quantità;Prezzo unitario;Importo", "Trasporto Torino - Bari;2;410,00;820,00"],
    ["Czech", "Č.;Popis;Množství;Cena za jednotku;Celkem bez DPH", "Přeprava Brno - Plzeň;2;410,00;820,00"],
    ["Lithuanian", "Nr.;Pavadinimas;Kiekis;Kaina;Suma", "Pervežimas Vilnius - Ryga;2;410,00;820,00"],
  ] as const)("are read in %s", async ([, head, row]) => {
    const { data } = await reading("invoice", text(`${head}\n1;${row}`, "820,00", "188,60", "1 008,60"));
    const [description] = row.split(";");
    expect(data.lines).toMatchObject([{ description, quantity: 2, unitPrice: 410, netAmount: 820 }]);
  });
});
