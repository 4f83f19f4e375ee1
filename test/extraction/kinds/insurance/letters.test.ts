import { describe, expect, test } from "vitest";
import { extractPosted, reading, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

/** Letters in which an insurer confirms the insurance in sentences, with hardly any label. */
const letters: { language: string; says: object; text: string }[] = [
  {
    language: "cs",
    says: {
      policyNumber: "4410118204",
      insurer: "Vzorová pojišťovna a.s.",
      policyHolder: {
        name: "Příklad Trans s.r.o.",
        vatCode: "CZ12345679",
        postalCode: "602 00",
        city: "Brno",
        street: "Polní 4",
      },
      sumInsured: 5000000,
      currency: "CZK",
    },
    text: `Vzorová pojišťovna a.s., Hlavní 1, 110 00 Praha 1
POTVRZENÍ O POJIŠTĚNÍ
Potvrzujeme, že společnost Příklad Trans s.r.o., se sídlem Polní 4, 602 00 Brno, IČO 12345679, má uzavřenu pojistnou smlouvu
č. 4410118204 o pojištění odpovědnosti silničního dopravce. Limit plnění 5 000 000 Kč. Platnost od 01.01.2026 do 31.12.2026.`,
  },
  {
    language: "de",
    says: {
      policyNumber: "VH 44-118204",
      insurer: "Muster Versicherung AG",
      policyHolder: {
        name: "Beispiel Transporte GmbH",
        postalCode: "04158",
        city: "Leipzig",
        street: "Industriestr. 5",
      },
      sumInsured: 600000,
    },
    text: `Muster Versicherung AG, Hafenstr. 1, 20457 Hamburg
VERSICHERUNGSBESTÄTIGUNG
Hiermit bestätigen wir, dass die Firma Beispiel Transporte GmbH, Industriestr. 5, 04158 Leipzig, unter der
Versicherungsschein-Nr. VH 44-118204 eine Verkehrshaftungsversicherung unterhält. Deckungssumme 600.000 EUR je Schadenfall.
Der Vertrag läuft vom 01.01.2026 bis 31.12.2026.`,
  },
  {
    language: "es",
    says: { policyNumber: "44-1-118204", insurer: "Seguros Ejemplo, S.A.", validTo: "2027-06-30" },
    text: `Seguros Ejemplo, S.A. - Calle Mayor 1, 28013 Madrid
CERTIFICADO DE SEGURO
D. Juan Muestra, en representación de la Compañía, CERTIFICA: Que TRANSPORTES EJEMPLARES, S.L., con N.I.F. B12345674
y domicilio en Calle Larga 8, 50001 Zaragoza, tiene suscrita la póliza de responsabilidad civil del transportista
número 44-1-118204, con efecto desde el 01/07/2026 hasta el 30/06/2027.
Suma asegurada: 350.000,00 euros por siniestro.`,
  },
  {
    language: "it",
    says: {
      policyNumber: "4410/118204",
      policyHolder: {
        name: "Trasporti Modello S.r.l.",
        vatCode: "IT12345670017",
        city: "Verona",
        street: "Via Lunga 8",
      },
      sumInsured: 300000,
    },
    text: `Compagnia Esempio Assicurazioni S.p.A. - Via Roma 1, 20121 Milano
CERTIFICATO DI ASSICURAZIONE
Si certifica che la ditta Trasporti Modello S.r.l., con sede in Via Lunga 8, 37100 Verona, P.IVA IT12345670017, ha stipulato la polizza
n. 4410/118204 per la responsabilità civile vettoriale, con effetto dal 01/01/2026 al 31/12/2026. Massimale 300.000,00 EUR.`,
  },
  {
    language: "fr",
    says: {
      policyNumber: "RC 4410 118 B",
      policyHolder: { name: "TRANSPORTS MODELE ET FILS", postalCode: "31000", street: "8 chemin des Lilas" },
    },
    text: `ASSURANCES EXEMPLE TRANSPORT S.A.
12 rue du Port, 44000 Nantes

TRANSPORTS MODELE ET FILS
8 chemin des Lilas
31000 TOULOUSE

ATTESTATION D'ASSURANCE
RESPONSABILITÉ CIVILE DU TRANSPORTEUR
Nous soussignés attestons que l'entreprise susnommée est titulaire du contrat n° RC 4410 118 B garantissant sa
responsabilité de transporteur routier de marchandises.
Plafond de garantie : 250 000 € par sinistre.
La présente attestation est valable du 1er janvier 2026 au 31 décembre 2026.`,
  },
  {
    language: "pl",
    says: {
      policyNumber: "44-118204",
      policyHolder: {
        name: "Wzór Transport Sp. z o.o.",
        vatCode: "PL5260250274",
        postalCode: "63-300",
        city: "Pleszew",
        street: "ul. Polna 7",
      },
    },
    text: `Przykład Towarzystwo Ubezpieczeń S.A., ul. Prosta 1, 00-838 Warszawa
ZAŚWIADCZENIE
Zaświadczamy, że firma Wzór Transport Sp. z o.o. z siedzibą w 63-300 Pleszew, ul. Polna 7, NIP 5260250274, posiada ubezpieczenie
odpowiedzialności cywilnej przewoźnika drogowego, polisa nr 44-118204, suma gwarancyjna 300 000 EUR, okres od 01.01.2026 do 31.12.2026.`,
  },
];

describe("insurance confirmed in sentences", () => {
  test.each(letters)("$language", async ({ text, says }) => {
    const read = await reading("insurance", text);
    expect(read.data).toMatchObject({ ...says, kind: "CarrierLiability" });
  });

  test("a letter of an insurer about something else is not a policy", async () => {
    const { status, reason } = await extractPosted(
      "insurance",
      "Muster Versicherung AG, Hafenstr. 1, 20457 Hamburg\n\nSehr geehrte Damen und Herren,\nwir laden Sie zu unserem Sommerfest am 14.07.2026 ein. Der Eintritt ist frei.",
      "letter.txt",
    );
    expect({ status, reason }).toEqual({ status: "Failed", reason: "input_not_a_document_of_this_kind" });
  });
});
