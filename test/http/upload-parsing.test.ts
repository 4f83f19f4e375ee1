import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BodyReader } from "../../src/http/body-reader.ts";
import { Problem } from "../../src/platform/problem.ts";
import { Base64Decoder } from "../../src/http/uploads/base64-decoder.ts";
import { readJsonFiles, type FilePaths } from "../../src/http/uploads/json-files.ts";
import { readMultipart } from "../../src/http/uploads/multipart.ts";

/** Cuts bytes into chunks at these places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, at) => bytes.slice(ends[at - 1] ?? 0, end));
}

const cuts = fc.array(fc.nat(), { maxLength: 12 });

const request = (pieces: readonly Uint8Array[], type = "application/json") =>
  new Request("http://lorry.test/", {
    method: "POST",
    headers: { "content-type": type },
    body: new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece);
        controller.close();
      },
    }),
    duplex: "half",
  } as RequestInit);

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece.slice());
  return Buffer.concat(all);
}

/** Whether `Uint8Array.fromBase64` accepts a text. White space may be anywhere; padding is correct or absent. */
const isBase64 = (text: string) =>
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(text.replace(/[\t\n\f\r ]/g, ""));

describe("base64 that arrives in chunks", () => {
  const decoded = (text: string, places: readonly number[]) => {
    const decoder = new Base64Decoder();
    const pieces = cut(Buffer.from(text, "latin1"), places).map((piece) => Buffer.from(piece).toString("latin1"));
    return Buffer.concat([...pieces.map((piece) => decoder.decode(piece)), decoder.end()]);
  };
  /** Decodes a text. Returns undefined if it is refused. */
  const decodedOrRefused = (text: string, places: readonly number[]) => {
    try {
      return decoded(text, places);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  };

  test("decodes to the original bytes, however it is cut, spaced and padded", () => {
    const blanks = fc.array(fc.tuple(fc.nat(), fc.constantFrom(" ", "\n", "\r\n", "\t")), { maxLength: 6 });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), blanks, fc.boolean(), cuts, (bytes, spaces, isPadded, places) => {
        let text = Buffer.from(bytes).toString("base64");
        if (!isPadded) text = text.replace(/=+$/, "");
        for (const [place, blank] of spaces) {
          const at = place % (text.length + 1);
          text = text.slice(0, at) + blank + text.slice(at);
        }
        expect(decoded(text, places)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test("is refused exactly if the whole text is not base64", () => {
    const text = fc.string({ unit: fc.constantFrom(..."AAbZ09+/==\n -_."), maxLength: 24 });
    fc.assert(
      fc.property(text, cuts, (text, places) => {
        const whole = isBase64(text) ? Buffer.from(text.replace(/\s/g, ""), "base64") : undefined;
        expect(decodedOrRefused(text, places)).toEqual(whole);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ["data:application/pdf;base64,QUJD", "ABC"],
    ["data:,QUJD", "ABC"],
    [`data:${"a".repeat(100)},QUJD`, "ABC"],
  ])("may begin with a data URL header: %s", (text, said) => {
    for (let place = 0; place < text.length; place++) expect(decoded(text, [place]).toString()).toBe(said);
  });

  test.each([`data:${"a".repeat(101)},QUJD`, "data:QUJD", "QUJDdata:,QUJD"])("refuses header %s", (text) => {
    expect(() => decoded(text, [3, 50])).toThrow(SyntaxError);
  });
});

describe("JSON that carries files", () => {
  interface Read {
    value: unknown;
    files: Buffer[];
  }

  async function read(pieces: readonly Uint8Array[], places: FilePaths): Promise<Read> {
    const files: Buffer[] = [];
    const body = new BodyReader(request(pieces), 2 ** 26);
    const value = await readJsonFiles(body, places, async (bytes) => void files.push(await joined(bytes)));
    return { value, files };
  }

  const codeOf = (error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    return [error.reason, error.errors[0]?.pointer];
  };
  const refusal = (text: string, places: FilePaths = [["file"]]) =>
    read([Buffer.from(text)], places).then(() => "taken", codeOf);

  /** Determines the expected result for a text with `JSON.parse`. */
  function expected(text: string): Read | "Refused" {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return "Refused";
    }
    const file = typeof value === "object" && value && !Array.isArray(value) && Object.hasOwn(value, "file");
    const said = file ? (value as { file: unknown }).file : undefined;
    if (typeof said !== "string" || said === "") return { value, files: [] };
    if (!isBase64(said)) return "Refused";
    return { value: { ...(value as object), file: "0" }, files: [Buffer.from(said.replace(/\s/g, ""), "base64")] };
  }

  /** Writes JSON in a random valid notation: with white space, and with some characters of strings as escapes. */
  const writtenBy = (choose: () => number) => {
    const blank = () => ["", "", "", " ", "\n", "\t \r\n"][choose() % 6]!;
    const string = (text: string) =>
      `"${[
        ...JSON.stringify(text)
          .slice(1, -1)
          .matchAll(/\\u.{4}|\\.|./gsu),
      ]
        .map(([sign]) => {
          const kind = choose() % 12;
          if (sign === "/" && kind < 6) return "\\/";
          const code = sign.charCodeAt(0);
          return sign.length === 1 && kind === 0 ? `\\u${code.toString(16).padStart(4, "0")}` : sign;
        })
        .join("")}"`;
    const written = (value: unknown): string => {
      if (typeof value === "string") return blank() + string(value) + blank();
      if (Array.isArray(value)) return `${blank()}[${value.map(written).join(",") || blank()}]${blank()}`;
      if (typeof value !== "object" || value === null) return blank() + JSON.stringify(value) + blank();
      const members = Object.entries(value).map(
        ([name, each]) => `${blank()}${string(name)}${blank()}:${written(each)}`,
      );
      return `${blank()}{${members.join(",") || blank()}}${blank()}`;
    };
    return written;
  };

  const members = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
  const documents = fc
    .record({
      before: members,
      bytes: fc.uint8Array({ maxLength: 120 }),
      after: members,
      signs: fc.infiniteStream(fc.nat()),
    })
    .map(({ before, bytes, after, signs }) => {
      const { file: _, ...others } = after;
      const value = { ...before, file: Buffer.from(bytes).toString("base64"), ...others };
      return writtenBy(() => signs.next().value as number)(value);
    });

  test("is parsed as JSON.parse does, in any notation and however it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(documents, cuts, async (text, places) => {
        expect(await read(cut(Buffer.from(text), places), [["file"]])).toEqual(expected(text));
      }),
      { numRuns: 400 },
    );
  });

  test("with a character changed, removed or added is refused if JSON.parse refuses it or the file is not base64", async () => {
    const signs = fc.constantFrom(...'"\\{}[],: /u\n=A-0é\u0001', "");
    await fc.assert(
      fc.asyncProperty(documents, fc.nat(), signs, fc.nat(1), cuts, async (whole, place, sign, left, places) => {
        const at = place % (whole.length + 1);
        const text = whole.slice(0, at) + sign + whole.slice(at + left);
        const found = await read(cut(Buffer.from(text), places), [["file"]]).catch((error: unknown) => {
          codeOf(error);
          return "Refused";
        });
        expect(found).toEqual(expected(text));
      }),
      { numRuns: 1_500 },
    );
  });

  test.each([
    ["without a file", '{"a":1}', { a: 1 }, []],
    ["with an empty file", '{"file":""}', { file: "" }, []],
    ["with null instead of a file", '{"file":null}', { file: null }, []],
    ["with a file that is a list", '{"file":["QQ=="]}', { file: ["QQ=="] }, []],
    [
      "with a file in a nested object",
      '{"a":{"file":"QQ=="},"b":[{"file":"QQ=="}]}',
      { a: { file: "QQ==" }, b: [{ file: "QQ==" }] },
      [],
    ],
    ["with its name in escapes", '{"\\u0066ile":"QQ=="}', { file: "0" }, ["A"]],
    ["with white space around it", ' \n{ "file"\t: "QQ==" } ', { file: "0" }, ["A"]],
    ["with white space in the file", '{"file":"Q\\nQ =\\r\\n="}', { file: "0" }, ["A"]],
    ["with a slash in the file", '{"file":"Pz8\\/Pw=="}', { file: "0" }, ["????"]],
    ["that is a list", '[{"file":"QQ=="}]', [{ file: "QQ==" }], []],
    ["that is a string", '"file"', "file", []],
  ])("%s is accepted", async (_, text, value, files) => {
    expect(await read([Buffer.from(text)], [["file"]])).toEqual({
      value,
      files: files.map((each) => Buffer.from(each)),
    });
  });

  test("may carry a file in each element of a list", async () => {
    const text =
      '{"attachments":[{"file":"QQ=="},{"fileName":"b"},{"file":""},{"file":"Qg=="}],"file":"a","x":[[{"file":"b"}]]}';
    expect(await read([Buffer.from(text)], [["attachments", "*", "file"]])).toEqual({
      value: {
        attachments: [{ file: "0" }, { fileName: "b" }, { file: "" }, { file: "1" }],
        file: "a",
        x: [[{ file: "b" }]],
      },
      files: [Buffer.from("A"), Buffer.from("B")],
    });
  });

  test.each([
    ["another alphabet", '{"file":"QQ-_"}', "validation_failed", "/file"],
    ["one letter missing", '{"file":"QUJDQ"}', "validation_failed", "/file"],
    ["padding in the middle", '{"file":"QQ==QQ=="}', "validation_failed", "/file"],
    ["incomplete padding", '{"file":"QQ="}', "validation_failed", "/file"],
    ["a letter that is not base64", '{"file":"QÄ=="}', "validation_failed", "/file"],
    ["two files", '{"file":"QQ==","file":"Qg=="}', "validation_failed", "/file"],
    ["a file and null", '{"file":"QQ==","file":null}', "validation_failed", "/file"],
    ["a control character in the file", '{"file":"QQ\n=="}', "invalid_json", ""],
    ["an invalid escape", '{"file":"QQ\\x=="}', "invalid_json", ""],
    ["a truncated escape", '{"file":"QQ==\\u00"}', "invalid_json", ""],
    ["a truncated file", '{"file":"QQ==', "invalid_json", ""],
    ["a file truncated within an escape", '{"file":"QQ==\\', "invalid_json", ""],
    ["nothing after the quote", '{"file":"', "invalid_json", ""],
    ["no comma", '{"a":1 "file":"QQ=="}', "invalid_json", ""],
    ["no colon", '{"file" "QQ=="}', "invalid_json", ""],
    ["two values", '{"file":"QQ=="}{}', "invalid_json", ""],
    ["nothing", "", "invalid_json", ""],
    ["33 levels of nesting", `{"file":"QQ==","a":${"[".repeat(32)}${"]".repeat(32)}}`, "invalid_json", ""],
    ["endless nesting", "[".repeat(200_000), "invalid_json", ""],
    ["5 MiB beside the file", `{"file":"QQ==","a":"${"a".repeat(5 * 2 ** 20)}"}`, "payload_too_large", undefined],
  ])("with %s is refused", async (_, text, reason, pointer) => {
    expect(await refusal(text)).toEqual([reason, pointer]);
  });

  const file = '"file":"QQ=="';
  test.each<[string, string[], string]>([
    ["at one path", [Array<string>(2).fill(file).join(",")], "/attachments/0/file"],
    ["in a list", Array<string>(101).fill(file), "/attachments"],
  ])("with one file too many %s is refused", async (_, elements, pointer) => {
    const text = `{"attachments":[${elements.map((members) => `{${members}}`).join(",")}]}`;
    expect(await refusal(text, [["attachments", "*", "file"]])).toEqual(["validation_failed", pointer]);
  });

  test("that carries invalid base64 is refused with the index of the element", async () => {
    const text = '{"attachments":[{"file":"QQ=="},{"file":"*"}]}';
    expect(await refusal(text, [["attachments", "*", "file"]])).toEqual(["validation_failed", "/attachments/1/file"]);
  });

  test("that is not UTF-8 is refused, inside and outside the file", async () => {
    const broken = (text: string) => read([Buffer.from(text, "latin1")], [["file"]]).then(() => "taken", codeOf);
    expect(await broken('{"file":"QQ==","a":"\xe4"}')).toEqual(["invalid_json", ""]);
    expect(await broken('{"file":"Q\xe4=="}')).toEqual(["validation_failed", "/file"]);
  });
});

describe("a multipart form", () => {
  interface Part {
    name: string;
    fileName?: string;
    content: Buffer;
  }

  async function read(
    bytes: Uint8Array,
    places: readonly number[] = [],
    type = 'multipart/form-data; boundary="mark"',
  ) {
    const sent = request(cut(bytes, places), type);
    const files: Omit<Part, "name">[] = [];
    const fields = await readMultipart(sent, new BodyReader(sent, 2 ** 26), async (fileName, content) => {
      files.push({ fileName, content: await joined(content) });
    });
    return { fields, files };
  }

  const written = (parts: readonly Part[], end = "--mark--\r\n") =>
    Buffer.concat([
      ...parts.flatMap(({ name, fileName, content }) => [
        Buffer.from(
          `--mark\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? "" : `; filename="${fileName}"`}\r\n\r\n`,
        ),
        content,
        Buffer.from("\r\n"),
      ]),
      Buffer.from(end),
    ]);

  const refusal = (bytes: Uint8Array, type?: string) =>
    read(bytes, [7], type).then(
      () => "taken",
      (error: unknown) => {
        if (!(error instanceof Problem)) throw error;
        return [error.reason, error.errors[0]?.code];
      },
    );

  test("is parsed into fields and files, whatever its chunks and content", async () => {
    const nearly = fc.constantFrom("\r", "\n", "\r\n", "\r\n--", "\r\n--mar", "--mark", "mark", "é", "\0", "--mark--");
    const content = fc
      .array(fc.oneof(nearly, fc.string({ maxLength: 5 })), { maxLength: 8 })
      .map((pieces) => Buffer.from(pieces.join("")))
      .filter((bytes) => !bytes.includes("\r\n--mark"));
    const part = fc.record(
      {
        name: fc.constantFrom("file", "comment", "metadata[a]", "é"),
        fileName: fc.constantFrom("a.pdf", "łódź 1.txt", ""),
        content,
      },
      { requiredKeys: ["name", "content"] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), cuts, async (parts, places) => {
        const files = parts.filter(({ fileName }) => fileName !== undefined);
        const fields = parts.filter(({ fileName }) => fileName === undefined);
        expect(await read(written(parts), places)).toEqual({
          fields: fields.map(({ name, content }) => [name, content.toString()]),
          files: files.map(({ fileName, content }) => ({ fileName, content })),
        });
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    ["a name without quotes", "form-data; name=file; filename=a.pdf", "a.pdf"],
    ["a name in RFC 5987", "form-data; name=\"file\"; filename*=UTF-8''%C5%82.pdf", "ł.pdf"],
    ["a quote in it", 'form-data; name="file"; filename="a\\"b.pdf"', 'a"b.pdf'],
    ["a header over two lines", 'form-data; name="file";\r\n filename="a.pdf"', "a.pdf"],
  ])("may have a file with %s", async (_, disposition, fileName) => {
    const bytes = Buffer.from(`--mark\r\ncontent-disposition: ${disposition}\r\n\r\nA\r\n--mark--`);
    expect((await read(bytes)).files).toEqual([{ fileName, content: Buffer.from("A") }]);
  });

  test("may have its metadata as a file, as browsers send JSON", async () => {
    const bytes = written([{ name: "Metadata", fileName: "blob", content: Buffer.from("{}") }]);
    expect(await read(bytes)).toEqual({ fields: [["Metadata", "{}"]], files: [] });
  });

  const text = (content: string) => ({ name: "a", content: Buffer.from(content) });
  test.each<[string, Buffer, string, string | undefined]>([
    ["without an end", written([text("a")], ""), "validation_failed", "invalid"],
    ["with more than 1,000 parts", written(Array<Part>(1_001).fill(text("a"))), "validation_failed", "too_many"],
    ["with more than 1 MiB of fields", written([text("a".repeat(2 ** 20)), text("a")]), "payload_too_large", undefined],
    [
      "with a header of 70 KB",
      written([{ name: "a".repeat(70_000), content: Buffer.alloc(0) }]),
      "validation_failed",
      "invalid",
    ],
    [
      "with a null byte in a name",
      written([{ name: "a\0", content: Buffer.alloc(0) }]),
      "validation_failed",
      "invalid",
    ],
  ])("%s is refused", async (_, bytes, reason, code) => {
    expect(await refusal(bytes)).toEqual([reason, code]);
  });

  test("without a boundary, or of another media type, is refused", async () => {
    expect(await refusal(written([]), "multipart/form-data")).toEqual(["validation_failed", "invalid"]);
    expect(await refusal(written([]), "multipart/mixed; boundary=mark")).toEqual(["unsupported_media_type", undefined]);
  });
});
