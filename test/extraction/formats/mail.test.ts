import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { withFlag } from "../../http/bad-input/zips.ts";
import { msg, storedRtf } from "../../support/files/make-office.ts";
import { tnef } from "../../support/files/make-tnef.ts";
import { htmlMail, linesOf, mail, mailWith, openFile, read } from "../../support/files/open-file.ts";
import { emptyPng } from "../../support/pictures/png.ts";

describe("mail", () => {
  test("the header fields are those of the mail itself", async () => {
    expect((await openFile(mail("Hello"))).mail).toEqual({
      subject: "Order 17",
      from: { name: "Anna", address: "anna@spedition.example" },
      to: [{ address: "dispo@carrier.example" }],
      date: "2026-11-20T09:00:00.000Z",
      day: "2026-11-20",
    });
  });

  const older = "Old price 900 EUR";
  test.each([
    ["lines with quote marks", `New price\r\n\r\n> ${older}`],
    ["an English attribution", `New price\r\n\r\nOn Thu, 19 Nov 2026 at 10:12, Jan <jan@a.example> wrote:\r\n${older}`],
    [
      "an attribution over two lines",
      `New price\r\n\r\nOn Thu, 19 Nov 2026 at 10:12, Jan Kowalski\r\n<jan@a.example> wrote:\r\n\r\n> ${older}`,
    ],
    ["a German attribution", `New price\r\n\r\nAm 19.11.2026 um 10:12 schrieb Jan:\r\n${older}`],
    ["a Polish attribution", `New price\r\n\r\nczw., 19 lis 2026 o 10:12 Jan <jan@a.example> napisał(a):\r\n${older}`],
    ["a French attribution", `New price\r\n\r\nLe 19/11/2026 à 10:12, Jan a écrit :\r\n${older}`],
    ["a Ukrainian attribution", `New price\r\n\r\nчт, 19 лист. 2026 р. о 10:12 Jan <jan@a.example> пише:\r\n${older}`],
    [
      "an Outlook head",
      `New price\r\n\r\nFrom: Jan\r\nSent: 19 November 2026\r\nTo: Anna\r\nSubject: load\r\n\r\n${older}`,
    ],
    [
      "a German head",
      `New price\r\n\r\nVon: Jan\r\nGesendet: 19. November 2026\r\nAn: Anna\r\nBetreff: Ladung\r\n\r\n${older}`,
    ],
    [
      "a Polish head",
      `New price\r\n\r\nOd: Jan\r\nWysłano: 19 listopada 2026\r\nDo: Anna\r\nTemat: ładunek\r\n\r\n${older}`,
    ],
    [
      "a Hungarian head",
      `New price\r\n\r\nFeladó: Jan\r\nElküldve: 2026. november 19.\r\nCímzett: Anna\r\nTárgy: rakomány\r\n\r\n${older}`,
    ],
    ["a Russian divider", `New price\r\n\r\n-------- Исходное сообщение --------\r\n${older}`],
    [
      "a long rule above a head",
      `New price\r\n\r\n________________________________\r\nDe : Jan\r\nEnvoyé : 19/11/2026\r\nÀ : Anna\r\nObjet : charge\r\n${older}`,
    ],
  ])("%s separates the quoted mail from the new one", async (_, body) => {
    const { parts } = await openFile(
      mail(body, "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n"),
    );
    expect(parts.map((part) => part.quoted)).toEqual([false, true]);
    expect(parts[0]?.pages.flatMap(linesOf)).toEqual(["New price"]);
    expect(parts[1]?.pages.flatMap(linesOf).at(-1)).toContain(older);
  });

  test.each([
    ["a blockquote", `<p>New price</p><blockquote type="cite">${older}</blockquote>`],
    [
      "a Gmail quotation",
      `<p>New price</p><div class="gmail_quote">On Thu Jan wrote:<br><blockquote>${older}</blockquote></div>`,
    ],
    ["an Outlook divider", `<p>New price</p><hr><div id="divRplyFwdMsg">From: Jan</div><div>${older}</div>`],
    [
      "an Outlook head",
      `<p>New price</p><div><p><b>From:</b> Jan<br><b>Sent:</b> Thursday<br><b>To:</b> Anna<br><b>Subject:</b> load</p></div><p>${older}</p>`,
    ],
  ])("%s in HTML separates the quoted mail from the new one", async (_, html) => {
    const { parts } = await openFile(htmlMail(html));
    expect(parts.map((part) => part.quoted)).toEqual([false, true]);
    expect(parts[0]?.pages.flatMap(linesOf)).toEqual(["New price"]);
    expect(parts[1]?.pages.flatMap(linesOf).join(" ")).toContain(older);
  });

  test.each([
    [
      "replies between quoted lines",
      "On Thu, 19 Nov 2026 10:12 Jan <jan@a.example> wrote:\r\n> Price?\r\n900 EUR\r\n> When?\r\nMonday",
      ["900 EUR", "Monday"],
    ],
    [
      "a load offered from and to",
      "From: Poznań\r\nTo: Lyon\r\nDate: 24.11.2026\r\nPrice: 900 EUR",
      ["From: Poznań", "To: Lyon", "Date: 24.11.2026", "Price: 900 EUR"],
    ],
    ["a heading between rules", "-------- LOADING --------\r\nHamburg", ["-------- LOADING --------", "Hamburg"]],
  ])("%s stay part of the mail", async (_, body, expected) => {
    const { parts } = await openFile(
      mail(body, "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n"),
    );
    expect(parts[0]?.pages.flatMap(linesOf)).toEqual(expected);
  });

  test("attachments are opened, including mails, and unreadable ones are reported", async () => {
    const inner = mailWith([{ name: "order.txt", type: "text/plain", content: "Order 4711" }]);
    const document = await openFile(
      mailWith([
        { name: "forwarded.eml", type: "message/rfc822", content: inner },
        { name: "tool.exe", type: "application/octet-stream", content: "MZ\0\0\0\0" },
      ]),
      "mail.eml",
    );
    expect(document.parts.map(({ role, name, format }) => `${role} ${name} ${format}`)).toEqual([
      "Body mail.eml Eml",
      "Attachment forwarded.eml Eml",
      "Attachment order.txt Text",
    ]);
    expect(document.warnings).toEqual([
      "Attachment tool.exe was not read: The file is a program, which is not supported.",
    ]);
  });

  test("files in a zip are opened like attachments; an encrypted one is reported", async () => {
    const zip = zipSync({ "tour/order.txt": strToU8("Order 4711"), "tour/note.txt": strToU8("Thanks") });
    const type = "application/zip";
    const { parts, warnings } = await openFile(
      mailWith([
        { name: "open.zip", type, content: zip },
        { name: "shut.zip", type, content: withFlag(zip.slice(), 1) },
      ]),
      "mail.eml",
    );
    expect(parts.map(({ role, name, format }) => `${role} ${name} ${format}`)).toEqual([
      "Body mail.eml Eml",
      "Attachment order.txt Text",
      "Attachment note.txt Text",
    ]);
    expect(warnings).toEqual(["Attachment shut.zip was not read: The file is protected by a password."]);
    const outlook = msg({
      subject: "x",
      sender: { name: "A", address: "a@b.example" },
      body: "Hello",
      attachments: [{ name: "open.zip", content: zip }],
    });
    expect((await openFile(outlook, "mail.msg")).parts.map(({ name }) => name)).toEqual([
      "mail.msg",
      "order.txt",
      "note.txt",
    ]);
  });

  test("mails are opened to a depth of three attachments, and up to the maximum number of attachments", async () => {
    let nested = mail("innermost");
    for (let depth = 0; depth < 6; depth++)
      nested = mailWith([{ name: `level-${depth}.eml`, type: "message/rfc822", content: nested }]);
    const deep = await openFile(nested);
    expect(deep.parts).toHaveLength(4);
    expect(deep.warnings).toEqual(["Attachments beyond the limit were not read: 1."]);
    const many = await openFile(
      mailWith(
        Array.from({ length: 9 }, (_, at) => ({ name: `${at}.txt`, type: "text/plain", content: `file ${at}` })),
      ),
      "m",
      { attachments: 5 },
    );
    expect(many.parts).toHaveLength(6);
    expect(many.warnings).toEqual(["Attachments beyond the limit were not read: 4."]);
  });

  test("small inline pictures are left out, photographs are opened", async () => {
    const picture = (width: number, height: number) =>
      Uint8Array.from([
        0x89,
        0x50,
        0x4e,
        0x47,
        13,
        10,
        26,
        10,
        0,
        0,
        0,
        13,
        73,
        72,
        68,
        82,
        0,
        0,
        width >> 8,
        width & 255,
        0,
        0,
        height >> 8,
        height & 255,
      ]);
    const related = (name: string, content: Uint8Array) =>
      `--b\r\nContent-Type: image/png\r\nContent-ID: <${name}>\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString("base64")}\r\n`;
    const body = `--b\r\nContent-Type: text/html\r\n\r\n<p>Order</p>\r\n${related("logo", picture(200, 80))}${related("photo", picture(1600, 1200))}--b--`;
    const { parts } = await openFile(mail(body, 'Content-Type: multipart/related; boundary="b"\r\n'));
    expect(parts.slice(1).map(({ format, pages }) => [format, pages[0]?.width, pages[0]?.scanned])).toEqual([
      ["Image", 1600, true],
    ]);
  });

  const packedBy = (bytes: Uint8Array) =>
    mailWith([{ name: "winmail.dat", type: "application/ms-tnef", content: bytes }]);

  test("documents in Outlook's winmail.dat are opened, including a mail, and unreadable ones are reported", async () => {
    const within = tnef([{ name: "invoice.txt", bytes: Buffer.from("Invoice 12") }], {
      html: "<p>See the invoice</p>",
    });
    const document = await openFile(
      packedBy(
        tnef([
          { name: "order.txt", bytes: Buffer.from("Order 4711") },
          { name: "logo.png", bytes: emptyPng(200, 80), isShown: true },
          { name: "photo.png", bytes: emptyPng(1600, 1200), isShown: true },
          { name: "loading", bytes: Buffer.from("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n") },
          { name: "forwarded", bytes: within, isObject: true },
          { name: "drawing", bytes: Buffer.from("some program's"), isObject: true },
        ]),
      ),
    );
    expect(document.parts.slice(1).map(({ name, format }) => `${name} ${format}`)).toEqual([
      "order.txt Text",
      "photo.png Image",
      "forwarded.html Html",
      "invoice.txt Text",
    ]);
    expect(document.warnings).toEqual(["Attachment drawing was not read: its encoding is not supported."]);
  });

  const ofWinmail = `--b\r\nContent-Type: application/ms-tnef; name="winmail.dat"\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n`;
  test.each<[string, { html?: string; text?: string; rtf?: Uint8Array }]>([
    ["HTML", { html: "<p>Order 4711</p>" }],
    ["plain text", { text: "Order 4711" }],
    ["rich text", { rtf: storedRtf(String.raw`{\rtf1\ansi Order 4711}`) }],
  ])("the text that Outlook packs as %s is read if the mail has no other text", async (_, words) => {
    const packed = `${ofWinmail}${tnef([], words).toString("base64")}\r\n--b--`;
    const { parts } = await openFile(mail(packed, 'Content-Type: multipart/mixed; boundary="b"\r\n'));
    expect(parts.flatMap(({ pages }) => pages.flatMap(linesOf))).toEqual(["Order 4711"]);
    const alone = await openFile(packedBy(tnef([], words)));
    expect(alone.parts.map(({ role }) => role)).toEqual(["Body"]);
  });

  test("an Outlook message may contain its body only as RTF, and HTML within it", async () => {
    const sender = { name: "Jan", address: "jan@a.example" };
    const rtf = storedRtf(String.raw`{\rtf1\ansi\ansicpg1250{\fonttbl{\f0 Arial;}}Za\'b3adunek\par Pozna\'f1}`);
    const html = storedRtf(
      String.raw`{\rtf1\ansi\fromhtml1{\*\htmltag <table><tr><td>}Ładunek{\*\htmltag </td><td>}\htmlrtf {\b\htmlrtf0 900{\*\htmltag </td></tr></table>}\htmlrtf }\htmlrtf0 }`,
    );
    expect(await read(msg({ subject: "x", sender, rtf }))).toEqual(["Załadunek", "Poznań"]);
    expect((await read(msg({ subject: "x", sender, rtf: html })))[0]).toMatch(/ \| 900$/);
  });
});
