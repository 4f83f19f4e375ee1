import type { House } from "./house.ts";
import { beside, stack, text } from "./node.ts";
import type { Node } from "./node.ts";

/** Adds the heading of a section. Without title, the section has no heading. */
export function section(house: House, title: string, body: Node, narrow = false): Node {
  if (title === "") return house.boxed ? stack([body], { boxed: true }) : body;
  const { heading, boxed } = house;
  const mark = heading === "Bar" || heading === "Line" ? heading : undefined;
  const head = text(house.title(title), { bold: true, ...(mark && { mark }) });
  if (heading === "Beside" && !narrow) return beside([head, body], [1, 3.5], boxed);
  return stack([head, body], { tight: true, boxed });
}
