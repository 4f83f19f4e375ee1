// Replaces curl, so that the commands of the documentation run on machines without it. Supports only the options that the
// documentation uses. Prints the response, and appends it to the file that the environment variable ANSWERS names.
import { appendFileSync, openAsBlob, readFileSync } from "node:fs";
import { basename } from "node:path";
import { argv, env, stdin, stdout } from "node:process";

const headers = new Headers();
const form = new FormData();
let method;
let url;
let body;
const words = argv.slice(2);
while (words.length > 0) {
  const word = words.shift();
  if (word === "-s") continue;
  else if (word === "-X") method = words.shift();
  else if (word === "-H") headers.append(...partedAt(words.shift(), ":"));
  else if (word === "-d") body = words.shift();
  else if (word === "--data-binary") body = await contentOf(words.shift());
  else if (word === "-F") await addField(...partedAt(words.shift(), "="));
  else if (word.startsWith("-") || url) throw new Error(`curl ${word} is not known here.`);
  else url = word;
}
const hasForm = [...form.keys()].length > 0;
if (body !== undefined && !headers.has("content-type"))
  headers.set("content-type", "application/x-www-form-urlencoded");
const sent = hasForm ? form : body;
const response = await fetch(url, { method: method ?? (sent === undefined ? "GET" : "POST"), headers, body: sent });
const text = await response.text();
appendFileSync(env.ANSWERS, `${JSON.stringify({ url, method: method ?? "", status: response.status, text })}\n`);
stdout.write(text);

function partedAt(text, sign) {
  const at = text.indexOf(sign);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

async function contentOf(named) {
  if (!named.startsWith("@")) return named;
  return named === "@-" ? new Uint8Array(await new Response(stdin).arrayBuffer()) : readFileSync(named.slice(1));
}

async function addField(name, value) {
  if (!value.startsWith("@")) return form.append(name, value);
  const [path, ...options] = value.slice(1).split(";");
  const fileName = options.find((option) => option.startsWith("filename="))?.slice("filename=".length);
  const blob = path === "-" ? new Blob([await contentOf("@-")]) : await openAsBlob(path);
  form.append(name, blob, fileName ?? basename(path));
}
