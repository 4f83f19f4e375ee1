import type { Page } from "../document/document.ts";
import type { PageOcr, PlacedImage, PageSize } from "../formats/reader.ts";
import type { Budget } from "../problem.ts";
import { languagesOfCountry } from "../lexicon/countries.ts";
import { isMisread, isOtherScript, languageOf } from "./language.ts";
import { toPage } from "./to-page.ts";
import {
  lowConfidence,
  RecogniserProblem,
  type PageImage,
  type Recognise,
  type RecognisedPage,
  type RecognisedWord,
} from "../images/recogniser.ts";

/**
 * Differences of the mean confidence at which a recognition replaces the earlier one: higher by `otherScript`, or lower
 * by at most `detectedLanguage`.
 */
const margins = { otherScript: 0.1, detectedLanguage: 0.02 };

/** Limits of OCR for one file. */
export interface OcrLimits {
  pages: number;
  /** No further page is recognised after this time. */
  milliseconds: number;
  /** Whether the pages may be from several senders. Then the language is detected for each badly recognised page. */
  isCollection?: boolean;
}

const documentLimits: OcrLimits = { pages: 40, milliseconds: 90_000 };
/** Used if neither the company's country nor the document determines the language. */
const defaultLanguage = "en";
/** Tried after a bad recognition in a Latin language. */
const cyrillic = ["ru", "uk"];

/** Pages in another script also contain names, numbers and codes in Latin letters. */
const recogniserLanguages = (language: string): string[] =>
  isOtherScript(language) ? [language, defaultLanguage] : [language];

const isInOtherScript = (words: readonly RecognisedWord[]): boolean => isOtherScript(languageOf(words) ?? "");

/**
 * Recognises the scanned pages of a document one at a time, in the language of the earlier pages. The budget is
 * extended by the time that OCR takes.
 */
export class DocumentOcr implements PageOcr {
  private readonly recognise: Recognise;
  private readonly budget: Budget;
  private readonly countryLanguages: readonly string[];
  private readonly limits: OcrLimits;
  private language: string | undefined;
  /** Clockwise quarter turns that turn the pages upright, after `pictureTurn`. */
  private turn = 0;
  private pictureTurn = 0;
  private pageCount = 0;
  private spentMilliseconds = 0;
  private skippedCount = 0;
  private readonly problems = new Set<string>();

  /** @param country country of the user's company (ISO 3166-1 alpha-2), whose languages are tried first */
  constructor(recognise: Recognise, budget: Budget, country: string | undefined, limits = documentLimits) {
    this.limits = limits;
    this.recognise = recognise;
    this.budget = budget;
    this.countryLanguages = country ? languagesOfCountry(country) : [];
  }

  read(picture: PageImage): Promise<Page | undefined> {
    return this.readAs(picture, 0, toPage);
  }

  readPlaced({ image: picture, frame, turn }: PlacedImage, size: PageSize): Promise<Page | undefined> {
    return this.readAs(picture, turn, (recognised) => toPage(recognised, { ...size, frame, turn }));
  }

  skip(why: string): void {
    this.problems.add(why);
  }

  private async readAs(
    picture: PageImage,
    turn: number,
    made: (recognised: RecognisedPage) => Page,
  ): Promise<Page | undefined> {
    if (this.pageCount >= this.limits.pages || this.isLate) {
      this.skippedCount++;
      return undefined;
    }
    this.pageCount++;
    this.pictureTurn = turn;
    try {
      return made(await this.recogniseWell(picture));
    } catch (cause) {
      if (!(cause instanceof RecogniserProblem)) throw cause;
      this.problems.add(cause.message);
      return undefined;
    }
  }

  /** Messages for users about skipped pages. */
  get warnings(): string[] {
    const beyond = this.skippedCount > 0 ? [`Scanned pages beyond the limit were not read: ${this.skippedCount}.`] : [];
    return [...this.problems, ...beyond];
  }

  private get isLate(): boolean {
    return this.spentMilliseconds >= this.limits.milliseconds;
  }

  private async recogniseWell(picture: PageImage): Promise<RecognisedPage> {
    const cached = await this.recognise.cached?.(picture);
    if (cached) return this.useCached(cached);
    if (!this.language) await this.detectOrientationAndLanguage(picture);
    const first = await this.recogniseAs(picture, "Whole", this.languages);
    const better = first.confidence >= lowConfidence || this.isLate ? undefined : await this.retry(picture, first);
    const whole = better ?? first;
    const detected = languageOf(whole.words);
    const isSettled = this.pageCount > 1 && !this.limits.isCollection;
    if (!detected || detected === this.language || isSettled || this.isLate) return whole;
    this.language = detected;
    const again = await this.recogniseAs(picture, "Whole", this.languages);
    return again.confidence >= whole.confidence - margins.detectedLanguage ? again : whole;
  }

  private useCached(cached: RecognisedPage): RecognisedPage {
    this.turnTo(cached);
    this.language = languageOf(cached.words) ?? this.language;
    return cached;
  }

  private async detectOrientationAndLanguage(picture: PageImage): Promise<void> {
    const [home = defaultLanguage] = this.countryLanguages;
    const first = await this.recogniseAs(picture, "Quick", recogniserLanguages(home));
    const others = isOtherScript(home) ? [defaultLanguage] : cyrillic;
    const misread = !isOtherScript(home) && isMisread(first.words);
    const isDoubted = first.confidence < lowConfidence || misread;
    const other = isDoubted && !this.isLate ? await this.recogniseAs(picture, "Quick", others) : undefined;
    const isOther =
      other && (other.confidence > first.confidence + margins.otherScript || (misread && isInOtherScript(other.words)));
    const clearer = isOther ? other : first;
    this.turnTo(clearer);
    this.language = languageOf(clearer.words) ?? (clearer === other ? others[0] : home);
  }

  /** Returns undefined if the repetition is not better. */
  private async retry(picture: PageImage, read: RecognisedPage): Promise<RecognisedPage | undefined> {
    const before = this.language;
    if (this.limits.isCollection && this.pageCount > 1) await this.detectOrientationAndLanguage(picture);
    else this.turnTo(await this.recogniseAs(picture, "Quick", this.languages));
    if (this.uprightTurn === read.turn && this.language === before) return undefined;
    const again = await this.recogniseAs(picture, "Whole", this.languages);
    if (again.confidence > read.confidence) return again;
    this.language = before;
    return undefined;
  }

  private turnTo({ turn }: RecognisedPage): void {
    this.turn = (turn - this.pictureTurn + 4) % 4;
  }

  private get uprightTurn(): number {
    return (this.turn + this.pictureTurn) % 4;
  }

  private get languages(): string[] {
    return recogniserLanguages(this.language ?? defaultLanguage);
  }

  private async recogniseAs(
    picture: PageImage,
    depth: "Quick" | "Whole",
    languages: string[],
  ): Promise<RecognisedPage> {
    const began = Date.now();
    try {
      return await this.recognise(picture, { depth, languages, turn: this.uprightTurn });
    } finally {
      const took = Date.now() - began;
      this.spentMilliseconds += took;
      this.budget.allow(took);
    }
  }
}
