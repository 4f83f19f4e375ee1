import * as z from "zod";
import { acceptFile, base64Limit, readJson, type Upload } from "./body.ts";
import { invalid, Problem, wrongField } from "./problem.ts";
import { parsed } from "./query.ts";

/** A file in JSON; whatever else is there goes with it. */
export const Base64File = z.object({
  file: z.string().describe("The file in base64, standard alphabet."),
  fileName: z.string().max(500).nullish(),
});

/** As it is sent. */
const AnyUpload = z.looseObject({ ...Base64File.shape, file: z.string().nullish() });

/**
 * The bytes of a file that came in base64, with or without the head of a data URL.
 * @throws Problem `validation_failed` naming `file`
 */
export function fromBase64(file: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(file.replace(/^data:[^,]{0,100},/, ""));
  } catch {
    throw invalid([wrongField(["file"], "invalid_format", "file is not base64.")]);
  }
}

/**
 * A JSON body that carries a file.
 * @throws Problem `invalid_json`, `payload_too_large`, `validation_failed`, and for the file those of `acceptFile`
 */
export async function readBase64Upload(request: Request): Promise<Upload> {
  const { file, fileName, ...fields } = parsed(AnyUpload, await readJson(request, base64Limit));
  if (!file) {
    const message = "file is required: the bytes in base64.";
    throw new Problem("file_missing", message, { errors: [wrongField(["file"], "file_missing", message)] });
  }
  return { file: await acceptFile(fileName ?? "file", fromBase64(file)), fields };
}
