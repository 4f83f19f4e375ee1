import { expect, test } from "vitest";
import { classifyMail } from "../../src/extraction/classify-mail.ts";
import { openGazetteer } from "../../src/extraction/lexicon/gazetteer.ts";
import { Budget } from "../../src/extraction/problem.ts";

const said = {
  subject: "Transport order BS-26-04711",
  text: "Hello,\n\nplease find our transport order BS-26-04711 attached and confirm it with the plates of your truck.\n\nKind regards",
};
const withoutTowns = openGazetteer(() => Promise.resolve(undefined));

test("a mail whose time limit is over is classified by its text alone, and its entities are left out", async () => {
  const mail = { ...said, html: `<p>${said.text}</p>`.repeat(20), files: [] };
  const told = await classifyMail(mail, "2026-11-22", { gazetteer: withoutTowns, budget: new Budget(-1) });
  expect(told.labels[0]).toMatchObject({ label: "Order" });
  expect(told.entities.orderNumbers).toEqual([]);
});

const labelOf = async (subject: string, text: string, from = "office@somewhere.example") => {
  const mail = { subject, text, from, html: "", files: [] };
  const { labels } = await classifyMail(mail, "2026-11-22", { gazetteer: withoutTowns, budget: new Budget(5000) });
  return labels[0]!.label;
};

test.each([
  [
    "StatusRequest",
    "Camion pentru Brasov",
    "Buna ziua,\n\nunde este camionul? Soferul nu raspunde si clientul intreaba.",
  ],
  ["PaymentReminder", "Vnt 12", "Labas,\n\nsąskaita iki šiol neapmokėta, terminas baigėsi. Kada apmokėsite?"],
  ["QuoteRequest", "Zagreb - Linz", "Dobar dan,\n\nkoliko bi koštao prijevoz 12 paleta, utovar u petak? Molim ponudu."],
  ["OrderCancellation", "Ordre 5521", "Hei,\n\nvi må dessverre kansellere ordren, kunden trenger ikke bilen i morgen."],
  ["AutoReply", "Re: Auftrag", "Ich bin bis 4. Mai im Urlaub. In dringenden Fällen wenden Sie sich an die Zentrale."],
  ["Delay", "Kuorma 552", "Hei, auto seisoo rajalla jonossa eikä ehdi tänään. Arvioitu saapuminen vasta huomenna."],
  ["VehicleOffer", "Koormad", "Tere, mul on homme kaks vaba autot Lätis, kas teil on koormaid põhja poole?"],
  ["StatusUpdate", "Tura 552", "Dobar dan, kamion je istovaren jutros u 9, sve u redu, vozač ide na sledeći utovar."],
  ["Complaint", "Krava", "Labdien, trīs paletes saņemtas bojātas, foto pielikumā. Iesniegsim pretenziju."],
  ["StatusRequest", "Fraktbrev", "Hei, vi mangler fortsatt fraktbrevet for turen til Bergen. Kan dere sende det?"],
])("a mail of a language with few examples gets its label: %s", async (label, subject, text) => {
  expect(await labelOf(subject, text)).toBe(label);
});

test("an older mail copied below the newest message does not decide on the label", async () => {
  const text =
    "Guten Tag,\n\nleider müssen wir den Auftrag stornieren, der LKW wird nicht mehr benötigt.\n\n" +
    "Von: Dispo <dispo@somewhere.example>\nGesendet: Montag\nBetreff: Rechnung\n\nAnbei die Rechnung über 900 EUR.";
  expect(await labelOf("Re: Auftrag 8841", text)).toBe("OrderCancellation");
});
