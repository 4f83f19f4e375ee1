// The lines of one document of each kind. All companies, people and numbers are invented.

export const invoice = (number: string, buyersVatCode = "DE123456788") => [
  `Invoice No. ${number}`,
  "Issue date: 20.11.2026",
  "Due date: 20.12.2026",
  "",
  "Seller: Vzorová Doprava s.r.o.",
  "Dlouhá 27, 602 00 Brno, Czech Republic",
  "VAT ID: CZ12345679",
  "",
  "Buyer: Beispiel Spedition GmbH",
  "Hafenstraße 12, 20457 Hamburg, Germany",
  `VAT ID: ${buyersVatCode}`,
  "",
  "Description                         Quantity   Net amount   VAT %   VAT amount   Gross amount",
  "Transport Leipzig - Wroclaw         1          980,00       23      225,40       1 205,40",
  "",
  "Net amount: 980,00 EUR",
  "VAT 23 %: 225,40 EUR",
  "Gross amount: 1 205,40 EUR",
  "Order number: BS-26-04711",
  "Vehicle: 1BX 4821",
];

export const cmr = (number: string) => [
  "International consignment note (CMR)",
  `CMR No. ${number}`,
  "1 Sender (name, address, country)",
  "Muster Papierwerke GmbH",
  "Industriestraße 5, 04158 Leipzig, Germany",
  "2 Consignee (name, address, country)",
  "Drukarnia Przykład Sp. z o.o.",
  "ul. Fabryczna 18, 53-609 Wrocław, Poland",
  "3 Place of delivery of the goods",
  "Wrocław, Poland",
  "4 Place and date of taking over the goods",
  "Leipzig, Germany 24.11.2026",
  "5 Documents attached",
  "Delivery note LP-88213",
  "13 Sender's instructions",
  "Keep dry",
  "16 Carrier (name, address, country)",
  "Vzorová Doprava s.r.o., Dlouhá 27, 602 00 Brno, Czech Republic",
  "18 Carrier's reservations and observations",
  "None",
  "21 Established in Leipzig on 24.11.2026",
  "22 Signature and stamp of the sender",
  "23 Signature and stamp of the carrier",
  "24 Goods received",
];

export const receipt = [
  "RASTHOF BEISPIEL",
  "Autobahn 14, 04158 Leipzig",
  "Receipt No. 004711",
  "19.11.2026 18:42",
  "Diesel          412,50 l x 1,619      667,84",
  "Total EUR                             667,84",
  "VAT 19 %   106,63",
  "Card **** **** **** 9012",
];

export const fine = [
  "Bußgeldstelle Beispielstadt",
  "Bußgeldbescheid",
  "Aktenzeichen: 505.118.442-7",
  "Kennzeichen: 1BX 4821",
  "Tatort: A 14, km 88,2, Beispielstadt",
  "Tatzeit: 14.10.2026, 07:42 Uhr",
  "Überschreitung der zulässigen Höchstgeschwindigkeit",
  "Zulässige Geschwindigkeit: 80 km/h",
  "Festgestellte Geschwindigkeit: 96 km/h",
  "Geldbuße: 90,00 EUR",
  "Zahlbar bis: 30.11.2026",
];

export const policy = [
  "Beispiel Versicherung AG",
  "Versicherungspolice",
  "Verkehrshaftungsversicherung",
  "Versicherungsschein-Nr.: OCP-2026-118-442",
  "Versicherungsnehmer: Vzorová Doprava s.r.o., Dlouhá 27, 602 00 Brno",
  "Versicherungszeitraum: 01.01.2026 - 31.12.2026",
  "Versicherungssumme: 300.000,00 EUR je Schadenfall",
  "Geltungsbereich: Deutschland, Polen, Tschechien",
];

export const licence = [
  "DRIVING LICENCE",
  "1. MUSTERMANN",
  "2. ERIKA",
  "3. 12.08.1984 BERLIN",
  "4a. 15.01.2022",
  "4b. 14.01.2037",
  "4c. LANDRATSAMT MUSTERKREIS",
  "5. B072RRE2I55",
  "9. B / BE / C / CE",
];

export const quoteRequest = [
  "REQUEST FOR QUOTATION",
  "Loading place: 04158 Leipzig, DE   Loading date: 24.11.2026",
  "Unloading place: 53-609 Wrocław, PL   Unloading date: 25.11.2026",
  "Weight: 22 t   Trailer type: tautliner   Goods: paper",
  "Please quote your best price.",
];
