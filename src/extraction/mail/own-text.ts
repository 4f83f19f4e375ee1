import { fold } from "../lexicon/fold.ts";
import words from "./closings.json" with { type: "json" };

/** In a shorter line, the words of a disclaimer may belong to the message. */
const minDisclaimerLength = 90;
/** Words besides the formula in a closing line: "Best regards, Anna Hill" has two. */
const maxWordsBesideFormula = 3;

const closings = words.closings.map(plain).toSorted((a, b) => b.length - a.length);
const thanks = words.thanks.map(plain);
const devices = words.devices.map(plain);
const disclaimers = words.disclaimers.map(plain);

/**
 * Returns the sender's own text: the lines above the closing formula, signature separator or copied older mail, without
 * disclaimers.
 * Returns all lines if these contain no words.
 */
export function ownText(lines: readonly string[]): string[] {
  const written = lines.filter((line) => line.trim() !== "");
  const end = written.findIndex((line, at) => at > 0 && (takesLeave(line) || beginsOlderMail(written, at)));
  const kept = (end < 0 ? written : written.slice(0, end)).filter((line) => !isDisclaimer(line));
  return kept.some((line) => /\p{L}{2}/u.test(line)) ? kept : written;
}

function takesLeave(line: string): boolean {
  if (/^\s*(?:--|__|==|\*\*)\s*$/.test(line) || /^-- ?$/.test(line)) return true;
  const text = plain(line);
  if (devices.some((words) => text.startsWith(words))) return true;
  const count = text.split(" ").length;
  if (thanks.some((words) => text === words)) return true;
  return closings.some(
    (words) =>
      (text === words || text.startsWith(`${words} `)) && count <= words.split(" ").length + maxWordsBesideFormula,
  );
}

const senderHeading =
  /^\s*(?:from|von|de|da|od|van|från|fra|lähettäjä|feladó|от|від|saatja|no|nuo|kimden|από|expéditeur|remitente)\s*:/iu;
const otherHeading =
  /^\s*(?:sent|to|date|subject|gesendet|an|datum|betreff|envoyé|à|objet|enviado|para|fecha|asunto|enviat|assumpte|inviato|a|oggetto|data|assunto|wysłano|do|temat|odesláno|komu|předmět|predmet|trimis|către|subiect|elküldve|címzett|tárgy|verzonden|aan|onderwerp|skickat|till|ämne|sendt|til|emne|lähetetty|vastaanottaja|aihe|saadetud|kellele|teema|nosūtīts|kam|temats|išsiųsta|kam|tema|отправлено|кому|тема|надіслано|изпратено|до|относно|gönderildi|kime|konu|προς|θέμα|poslano|za|zadeva)\s*:/iu;

/** Headings of an older mail that was copied as text. */
const beginsOlderMail = (lines: readonly string[], at: number): boolean =>
  senderHeading.test(lines[at]!) &&
  (lines[at]!.includes("@") || lines.slice(at + 1, at + 3).some((line) => otherHeading.test(line)));

function isDisclaimer(line: string): boolean {
  if (line.length < minDisclaimerLength) return false;
  const text = plain(line);
  return disclaimers.filter((words) => text.includes(words)).length >= 1 && !/\d{1,2}[.:]\d{2}\b/.test(line);
}

function plain(text: string): string {
  return fold(text)
    .text.replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
