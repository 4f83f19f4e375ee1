import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { localRecogniser } from "../../scripts/recogniser.ts";
import { RecogniserProblem, type Recognise } from "../../src/extraction/images/recogniser.ts";

/**
 * Starts the OCR recogniser. Results are cached in `folder`, if it is given. Empty the folder when the recogniser
 * changes.
 */
export async function cachedRecogniser(folder: string | undefined): Promise<Recognise> {
  const recognise = await localRecogniser();
  if (folder === undefined) return recognise;
  mkdirSync(folder, { recursive: true });
  return async (picture, look) => {
    const asked = JSON.stringify([picture.page, look.depth, look.languages, look.turn]);
    const file = join(folder, `${createHash("sha256").update(picture.bytes).update(asked).digest("hex")}.json`);
    const kept = existsSync(file)
      ? (JSON.parse(readFileSync(file, "utf8")) as CachedResult)
      : await read(recognise, picture, look);
    writeFileSync(file, JSON.stringify(kept));
    if ("refused" in kept) throw new RecogniserProblem(kept.refused);
    return kept;
  };
}

type CachedResult = Awaited<ReturnType<Recognise>> | { refused: string };

async function read(recognise: Recognise, ...asked: Parameters<Recognise>): Promise<CachedResult> {
  try {
    return await recognise(...asked);
  } catch (cause) {
    if (cause instanceof RecogniserProblem) return { refused: cause.message };
    throw cause;
  }
}
