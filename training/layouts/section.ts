import type { House } from "./house.ts";
import { beside, stack, text, tight, type Node } from "./node.ts";

/** Adds the heading of a section. Without title, the section has no heading. */
export function section(house: House, title: string | false, body: Node, narrow = false): Node {
  const { heading, boxed } = house;
  if (!title) return boxed ? stack([body], { boxed }) : body;
  const mark = heading === "Bar" || heading === "Line" ? heading : undefined;
  const head = text(house.title(title), { bold: true, ...(mark && { mark }) });
  return heading === "Beside" && !narrow ? beside([head, body], [1, 3.5], boxed) : tight([head, body], boxed);
}
