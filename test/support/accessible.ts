import axe from "axe-core";
import type { Page } from "playwright-core";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * Replaces timers with promises, because on pages with scripts disabled timers never fire, but promises are settled.
 */
const timersAsPromises = "globalThis.setTimeout = (then) => void Promise.resolve().then(then);";

/**
 * Checks the current state of the page against WCAG 2.2 A and AA, as far as a program can: contrast, names, roles,
 * sizes of targets. `within` is the CSS selector of the part to check; `except` lists selectors of elements that we
 * cannot fix. The check does not affect the page. The page may have scripts disabled.
 *
 * @throws an error that names each violated rule, its elements and the remedy
 */
export async function expectAccessible(
  page: Page,
  { within = "html", except = [] }: { within?: string; except?: string[] } = {},
): Promise<void> {
  const scope = JSON.stringify({ include: [[within]], exclude: except.map((selector) => [selector]) });
  const options = JSON.stringify({ runOnly: rules, resultTypes: ["violations"], preload: false });
  const { violations } = await aside<axe.AxeResults>(
    page,
    `${timersAsPromises} ${axe.source}; axe.run(${scope}, ${options})`,
  );
  if (violations.length) throw new Error(`${page.url()} is not accessible.\n\n${violations.map(told).join("\n\n")}`);
}

/** Evaluates an expression in an isolated world, which sees the page's elements but has its own global variables. */
async function aside<T>(page: Page, expression: string): Promise<T> {
  const devTools = await page.context().newCDPSession(page);
  const { frameTree } = await devTools.send("Page.getFrameTree");
  const { executionContextId } = await devTools.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  const { result, exceptionDetails } = await devTools.send("Runtime.evaluate", {
    expression,
    contextId: executionContextId,
    awaitPromise: true,
    returnByValue: true,
  });
  await devTools.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as T;
}

const told = ({ id, help, helpUrl, nodes }: axe.Result) =>
  [
    `${id}: ${help} (${helpUrl})`,
    ...nodes.map(({ target, failureSummary }) => `  ${target.join(" ")}\n${indented(failureSummary)}`),
  ].join("\n");

const indented = (text = "") => text.replaceAll(/^/gm, "    ");
