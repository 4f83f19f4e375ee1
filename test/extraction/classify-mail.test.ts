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
