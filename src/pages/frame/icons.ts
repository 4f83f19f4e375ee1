import { html, Markup } from "../html.ts";

/** Strokes on a 24 × 24 grid, in the text colour. */
const drawings = {
  camera: '<path d="M4 8h3l2-3h6l2 3h3v11H4z"/><circle cx="12" cy="13" r="3.500"/>',
  file: '<path d="M6 3h8l4 4v14H6zM14 3v4h4"/>',
  missing: '<circle cx="12" cy="12" r="8.500" stroke-dasharray="3.600 3"/>',
  waiting: '<circle cx="12" cy="12" r="8.500"/><path d="M12 7v5l3 2"/>',
  good: '<circle cx="12" cy="12" r="8.500"/><path d="m8 12.500 2.700 2.700L16 9.500"/>',
  bad: '<circle cx="12" cy="12" r="8.500"/><path d="M12 7.500v5.500M12 16v.500"/>',
  replaced: '<path d="M5 12a7 7 0 0 1 12-5l2 2M19 4v5h-5M19 12a7 7 0 0 1-12 5l-2-2M5 20v-5h5"/>',
  away: '<path d="m7 7 10 10M17 7 7 17"/>',
};
export type Icon = keyof typeof drawings;

/** SVG sprite sheet with all icons. */
export const iconSheet = new Markup(
  `<svg width="0" height="0" class="sheet" aria-hidden="true">${Object.entries(drawings)
    .map(([name, lines]) => `<symbol id="icon-${name}" viewBox="0 0 24 24">${lines}</symbol>`)
    .join("")}</svg>`,
);

/** Renders a decorative icon, which is hidden from screen readers. */
export const icon = (name: Icon) =>
  html`<svg class="icon" width="20" height="20" aria-hidden="true"><use href="#icon-${name}" /></svg>`;
