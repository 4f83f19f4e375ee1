/** What the pages of freights are made with. */
export const files = { scripts: ["/freight/freight.js"], styles: ["/frame/frame.css", "/freight/freight.css"] };
