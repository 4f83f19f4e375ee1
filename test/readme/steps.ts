/** One step of a Markdown document that a reader follows. */
export type Step =
  | { kind: "command"; text: string }
  /** `ORDER_ID=…`: a value that is taken from an earlier response. */
  | { kind: "value"; name: string }
  /** The documented response of the last command; `…` matches any text. */
  | { kind: "answer"; json: unknown }
  /** "answers `Reconciled`": a word that the last response contains. */
  | { kind: "word"; word: string }
  | { kind: "program"; source: string };

/** Matches commands that do not call the service on the reader's machine. */
const elsewhere = /\bnpm |\bnpx |\bopenssl |<your worker>/;
const taken = /^([A-Z_]+)=(?:\S*…|[0-9a-f]{8}-[0-9a-f-]{27})$/;

/** Finds the steps in a Markdown text. */
export function stepsIn(markdown: string): Step[] {
  const steps: Step[] = [];
  const lines = markdown.split("\n");
  while (lines.length > 0) {
    const line = lines.shift()!;
    if (line.startsWith("```")) {
      const fenced = lines.splice(0, lines.indexOf("```") + 1).slice(0, -1);
      steps.push(...fencedStep(line.slice(3), fenced.join("\n")));
    } else if (line.startsWith("    ")) {
      const block = [line];
      while (lines[0]?.startsWith("    ") || (lines[0] === "" && lines[1]?.startsWith("    ")))
        block.push(lines.shift()!);
      steps.push(...commandsIn(block.map((each) => each.slice(4)).join("\n")).flatMap(commandSteps));
    } else steps.push(...documentedResponse(line));
  }
  return steps;
}

function fencedStep(language: string, text: string): Step[] {
  if (language === "json") return [{ kind: "answer", json: shortened(text) }];
  return language === "ts" ? [{ kind: "program", source: text }] : [];
}

/** Parses "The response is `{ … }`" and "The response is `Word`" at the beginning of a paragraph. */
function documentedResponse(line: string): Step[] {
  const [, code] = /^The response is `([^`]+)`/.exec(line) ?? [];
  if (code === undefined) return [];
  return [code.startsWith("{") ? { kind: "answer", json: shortened(code) } : { kind: "word", word: code }];
}

/** Parses JSON in which `...` stands for omitted members. */
function shortened(text: string): unknown {
  const whole = text.replace(/,?\s*\.\.\.(?=\s*[}\]])/g, "");
  return JSON.parse(whole.trimStart().startsWith('"') ? `{${whole}}` : whole);
}

/**
 * Splits a block into its commands. A command ends with its line unless a quote is open or the line ends with `|` or
 * `\`.
 */
function commandsIn(block: string): string[] {
  const commands: string[] = [];
  let open = "";
  for (const line of block.split("\n")) {
    open += open === "" ? line : `\n${line}`;
    const quotes = open.split("'").length - 1;
    if (quotes % 2 === 1 || /[|\\]$/.test(withoutRemark(line))) continue;
    if (open.trim() !== "") commands.push(open);
    open = "";
  }
  return commands;
}

const withoutRemark = (line: string) => line.replace(/ {2,}# .*$/, "").trimEnd();

function commandSteps(command: string): Step[] {
  if (elsewhere.test(command)) return [];
  const text = withoutRemark(command);
  const values = text.split(/\s+/).map((word) => taken.exec(word)?.[1]);
  if (values.every((name) => name !== undefined)) return values.map((name) => ({ kind: "value", name }));
  return /\bcurl |^[A-Z_]+=/.test(text) ? [{ kind: "command", text }] : [];
}
