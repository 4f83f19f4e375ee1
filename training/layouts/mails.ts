import { mailBytes } from "../set/mail.ts";
import type { Item } from "../sheet/sheet.ts";
import { htmlPage, htmlTable, paragraphs } from "./html.ts";
import type { Layout } from "./layout.ts";
import { columns, grid, list, numbered } from "./pdf-forms.ts";
import { stopRows } from "./pdf-tables.ts";

const flat = ({ label, value, bare }: Item): string => (bare ? value : `${label}: ${value.replaceAll("\n", ", ")}`);

/** An order as the text of a mail, followed by a signature and quoted earlier mails. */
export const mailText: Layout = {
  extension: "eml",
  weight: 8,
  wishes: { customer: "Block" },
  set: ([sheet], chance) => {
    const { head, blocks, mail } = sheet!;
    const lines = [
      ...mail.opening,
      "",
      ...head.map(flat),
      ...blocks.flatMap(({ title, items }) => [
        "",
        chance.happens(0.3) ? `*** ${title} ***` : title,
        ...items.map(flat),
      ]),
      "",
      ...mail.signature,
      "",
      ...mail.older,
    ];
    return mailBytes({ ...mail, text: lines.join("\n") });
  },
};

/** An order that is written in sentences, as the text of a mail. */
export const mailProse: Layout = {
  extension: "eml",
  weight: 5,
  wishes: { customer: "Block", party: "OneLine" },
  set: ([sheet], chance) => {
    const { letter, blocks, mail } = sheet!;
    const parties = blocks
      .filter(({ role }) => ["customer", "carrier", "payer"].includes(role))
      .map(({ title, items }) => `${title}: ${items.map(flat).join(", ")}`);
    const body = [...letter, ...parties, ...sheet!.head.slice(1).map(flat)];
    const older = chance.happens(0.5) ? mail.older : [];
    return mailBytes({
      ...mail,
      text: [...body.flatMap((line) => [line, ""]), ...mail.signature, "", ...older].join("\n"),
    });
  },
};

export const mailTable: Layout = {
  extension: "eml",
  weight: 5,
  wishes: { customer: "Block" },
  set: ([sheet], chance) => {
    const { mail } = sheet!;
    const body = [
      paragraphs(mail.opening),
      htmlTable(chance, sheet!),
      paragraphs(mail.signature),
      "<hr>",
      paragraphs(mail.older),
    ];
    return mailBytes({ ...mail, html: htmlPage(body.join("\n")) });
  },
};

/** A short mail with the order attached as a PDF. */
export const mailWithPdf: Layout = {
  extension: "eml",
  weight: 5,
  set: async (sheets, chance) => {
    const { mail } = sheets[0]!;
    const bytes = await chance.pick([list, grid, columns, numbered, stopRows]).set(sheets, chance);
    const text = [...mail.opening, "", ...mail.signature, "", ...mail.older].join("\n");
    return mailBytes({ ...mail, text, attachment: { name: "order.pdf", type: "application/pdf", bytes } });
  },
};
