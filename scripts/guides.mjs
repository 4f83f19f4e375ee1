import { existsSync, globSync } from "node:fs";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, normalize, relative, sep } from "node:path";
import { Marked } from "marked";
import { documentationPage } from "../src/pages/documentation-page.ts";

/** Thrown for a relative link in `docs/` to something that the service does not serve. */
class DeadLink extends Error {}

/**
 * Renders every Markdown file of `docs/` to an HTML page under the same path, and copies the images beside them.
 * `docs/guides/README.md` becomes the list page `/docs/guides`.
 *
 * @param {string} output the folder that is served as `/docs`
 */
export async function buildGuides(output) {
  for (const path of globSync("docs/**/*.png")) await copyTo(output, path);
  for (const path of globSync("docs/**/*.md")) {
    const file = join(output, `${pagePath(path).slice("/docs/".length)}.html`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, renderGuide(path, await readFile(path, "utf8")));
  }
}

async function copyTo(output, path) {
  const copy = join(output, relative("docs", path));
  await mkdir(dirname(copy), { recursive: true });
  await copyFile(path, copy);
}

/** Returns the path under which a file is served: `/docs/guides/fines` for `docs/guides/fines.md`. */
const pagePath = (file) => `/${file.split(sep).join("/")}`.replace(/(\/README)?\.md$/, "");

/**
 * @param {string} file the path of the Markdown file, to which its relative links refer
 * @param {string} markdown
 */
export function renderGuide(file, markdown) {
  const slugs = new Map();
  const marked = new Marked({
    walkTokens(token) {
      if (token.type === "link" || token.type === "image") token.href = servedAddress(file, token.href);
    },
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens);
        const id = uniqueSlug(slugs, slugOf(text));
        return depth === 1 ? `<h1>${text}</h1>\n` : `<h${depth} id="${id}"><a href="#${id}">${text}</a></h${depth}>\n`;
      },
      code({ text, lang }) {
        const label = lang ? `${lang} example` : "Commands";
        return `<pre tabindex="0" role="region" aria-label="${label}"><code>${escaped(text)}</code></pre>\n`;
      },
    },
  });
  const main = marked
    .parse(markdown)
    .replaceAll("<table>", '<div class="table" tabindex="0" role="region" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>");
  return documentationPage(titleOf(markdown), main);
}

const titleOf = (markdown) => /^# (.+)$/m.exec(markdown)?.[1].replaceAll("`", "") ?? "Guide";

/** Returns the address on the server to which a link in a file leads. @throws DeadLink */
function servedAddress(file, href) {
  const local = href.replace(/^http:\/\/127\.0\.0\.1:8787(?=\/|$)/, "");
  if (local !== href) return local || "/";
  if (/^(https:|#)/.test(href)) return href;
  const [path, anchor] = href.split("#");
  const target = normalize(join(dirname(file), path));
  if (!target.startsWith(`docs${sep}`) || !existsSync(target)) throw new DeadLink(`${file} links to ${href}.`);
  return pagePath(target) + (anchor ? `#${anchor}` : "");
}

/** Makes the same id for a heading as GitHub, so that links work in both places. */
const slugOf = (html) =>
  html
    .replace(/<[^>]+>|&[^;]+;/g, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

function uniqueSlug(slugs, slug) {
  const count = slugs.get(slug) ?? 0;
  slugs.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
