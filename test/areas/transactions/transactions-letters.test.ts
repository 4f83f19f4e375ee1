import { afterAll, beforeAll, expect, test } from "vitest";
import { openService, type TestService } from "../../support/service.ts";
import { transactionClient } from "../../support/transactions.ts";

// Statements with one byte per letter, in a code page that the file does not name.

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

function inPage(page: string, text: string): Uint8Array<ArrayBuffer> {
  const decoder = new TextDecoder(page);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Uint8Array.from([...text], (letter) => bytes.get(letter)!);
}

test.each<[language: string, page: string, heading: string, station: string, product: string]>([
  [
    "Hungarian",
    "windows-1250",
    "Dátum;Rendszám;Kút;Termék;Mennyiség;Bruttó összeg;Pénznem",
    "Győr, Fűzfa utca",
    "Gázolaj",
  ],
  ["Hungarian, few letters", "windows-1250", "Date;Rendszám;Station;Product;Qty;Gross;Currency", "Időpont", "Diesel"],
  ["Polish", "windows-1250", "Data;Nr rej.;Stacja;Towar;Ilość;Brutto;Waluta", "Dęblin Dzień", "Olej napędowy"],
  [
    "Polish by ISO 8859-2",
    "iso-8859-2",
    "Data;Nr rej.;Stacja;Towar;Ilość;Brutto;Waluta",
    "Łąka Ślężna",
    "Olej napędowy",
  ],
  ["Czech", "windows-1250", "Datum;SPZ;Stanice;Zboží;Množství;Částka;Měna", "Říčany, Nádražní", "Nafta motorová"],
  ["Slovak", "windows-1250", "Dátum;EČV;Stanica;Tovar;Množstvo;Suma;Mena", "Čadca, Ľubochňa", "Nafta motorová"],
  ["Croatian", "windows-1250", "Datum;Tablica;Postaja;Proizvod;Količina;Iznos;Valuta", "Županja, Đakovo", "Dizel"],
  [
    "German",
    "windows-1252",
    "Datum;Kennzeichen;Station;Produkt;Menge;Brutto;Währung",
    "Köln Süd, Großstraße",
    "Diesel",
  ],
  [
    "French",
    "windows-1252",
    "Date;Immatriculation;Station;Produit;Quantité;Montant TTC;Devise",
    "Fère, août",
    "Gazole",
  ],
  ["Portuguese", "windows-1252", "Data;Matrícula;Posto;Produto;Quantidade;Valor;Moeda", "Camiões, São João", "Gasóleo"],
  [
    "Spanish",
    "windows-1252",
    "Fecha;Matrícula;Estación;Producto;Cantidad;Importe;Moneda",
    "Nº 4, La Coruña",
    "Gasóleo",
  ],
  ["Swedish", "windows-1252", "Datum;Regnr;Station;Produkt;Antal;Belopp;Valuta", "Åmål, Västra vägen", "Diesel"],
  ["Danish", "windows-1252", "Dato;Nummerplade;Station;Produkt;Mængde;Beløb;Valuta", "Køge, Østergade", "Diesel"],
  ["English, pounds", "windows-1252", "Date;Registration;Site;Product;Qty;Gross (£);Currency", "Dover £1", "Diesel"],
  ["Estonian", "windows-1257", "Kuupäev;Number;Jaam;Toode;Kogus;Summa;Valuuta", "Jõhvi, Šveitsi", "Diislikütus"],
  ["Lithuanian", "windows-1257", "Data;Valst. Nr.;Degalinė;Prekė;Kiekis;Suma;Valiuta", "Šiauliai, Ąžuolų", "Dyzelinas"],
  ["Greek", "windows-1253", "Date;Plate;Station;Product;Qty;Gross;Currency", "Θεσσαλονίκη", "Diesel"],
  ["Turkish", "windows-1254", "Tarih;Plaka;İstasyon;Ürün;Miktar;Tutar;Para birimi", "Eskişehir Ağrı", "Motorin"],
])("the code page of a statement is detected: %s", async (_, page, heading, station, product) => {
  const mine = transactionClient(service, service.company());
  const row = `05.10.2026;WGM 12345;${station};${product};400,00;595,00;EUR`;
  const feed = await mine.file(inPage(page, `${heading}\n${row}\n`), "statement.csv");
  expect(feed).toMatchObject({ status: "Imported", accepted: 1 });
  expect(await mine.list(`feedId=${feed.feedId}`)).toMatchObject([{ station, productName: product }]);
});
