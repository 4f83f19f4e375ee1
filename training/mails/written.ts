import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mailFeatures, type MailText } from "../../src/extraction/mail/label-model.ts";
import { mailLabels, type MailLabel } from "../../src/extraction/mail/labels.ts";
import type { Example } from "./model.ts";

const folder = join(import.meta.dirname, "written");

/**
 * Reads the mails of `written/`, a file for each language. A line that begins with "=" names the label of the mails
 * below it. Every other line is a mail: "subject | text >> quoted mail [kind of attachment]".
 * @throws if a label is unknown
 */
export function writtenMails(): Example[] {
  return readdirSync(folder).flatMap((file) => {
    const sections = readFileSync(join(folder, file), "utf8").split(/^= /m).slice(1);
    return sections.flatMap((section) => {
      const [label, ...lines] = section.split("\n");
      if (!mailLabels.includes(label as MailLabel)) throw new RangeError(`${file} has an unknown label: ${label}`);
      return lines
        .filter((line) => line.trim() !== "")
        .map((line) => ({
          features: mailFeatures(mailIn(line)),
          label: label as MailLabel,
          language: file.slice(0, 2),
        }));
    });
  });
}

function mailIn(line: string): MailText {
  const [, subject = "", own = "", quoted = "", kind] = /^(.*?) ?\| (.*?)(?: >> (.*?))?(?: \[(\w+)\])?$/.exec(line)!;
  return {
    subject,
    from: "",
    own: [own],
    quoted: quoted === "" ? [] : [quoted],
    automatic: false,
    bulk: false,
    attachments: kind === undefined ? [] : [kind],
  };
}
