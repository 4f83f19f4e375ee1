import { field, json, type Refused } from "./row.ts";

const feedback = { method: "POST", path: "/api/v1/feedback" };
const subject = { type: "Order", id: "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77" };
const correction = { path: "/orderNumber", value: "A-1" };

const wrong: [what: string, pointer: string, body: unknown][] = [
  ["that is a list", "", []],
  ["of nothing", "/subject", { rating: "Good" }],
  ["of a subject without a type", "/subject/type", { subject: { ...subject, type: "Lorry" }, rating: "Good" }],
  ["of a subject without an id", "/subject/id", { subject: { type: "Order" }, rating: "Good" }],
  ["of an invalid id", "/subject/id", { subject: { type: "Order", id: "4711" }, rating: "Good" }],
  [
    "of an order with a negative number",
    "/subject/sequenceId",
    { subject: { ...subject, sequenceId: -1 }, rating: "Good" },
  ],
  ["without a rating", "/rating", { subject }],
  ["with an unknown rating", "/rating", { subject, rating: "Fine" }],
  ["with corrections that are not a list", "/corrections", { subject, rating: "Bad", corrections: correction }],
  ["with a correction of nothing", "/corrections/0/path", { subject, rating: "Bad", corrections: [{ value: 1 }] }],
  ["with an empty path", "/corrections/0/path", { subject, rating: "Bad", corrections: [{ path: "", value: 1 }] }],
  [
    "with a path that is too long",
    "/corrections/0/path",
    { subject, rating: "Bad", corrections: [{ path: "/a".repeat(200), value: 1 }] },
  ],
  ["without a value", "/corrections/0/value", { subject, rating: "Bad", corrections: [{ path: "/orderNumber" }] }],
  [
    "with too many corrections",
    "/corrections",
    { subject, rating: "Bad", corrections: Array.from({ length: 101 }, () => correction) },
  ],
  ["with a comment that is too long", "/comment", { subject, rating: "Good", comment: "c".repeat(10_001) }],
  ["with control characters", "/comment", { subject, rating: "Good", comment: "a\u0000b" }],
];

/** Invalid feedback. */
export const feedbackRows: Refused[] = [
  ...wrong.map(([what, pointer, body]): Refused => ({ ...feedback, what, json: body, ...field(pointer) })),
  { ...feedback, what: "that is not JSON", text: "{", ...json },
  { ...feedback, what: "of an unknown order", json: { subject, rating: "Good" }, status: 404, code: "not_found" },
  ...(
    [
      ["from=yesterday", "/from"],
      ["to=2026-02-30", "/to"],
      ["from=2020-01-01&to=2026-01-01", "/from"],
      ["from=2026-02-01&to=2026-01-01", "/to"],
      ["kind=lorry", "/kind"],
    ] as const
  ).map(([query, pointer]): Refused => ({
    method: "GET",
    what: `metrics with ${query}`,
    path: `/api/v1/feedback/metrics?${query}`,
    ...field(pointer),
  })),
];
