import type { Page } from "../document/document.ts";
import type { PageOcr, PlacedImage, PageSize } from "../formats/reader.ts";
import type { Budget } from "../problem.ts";
import { languagesOfCountry } from "../lexicon/countries.ts";
import { isCyrillic, isMisread, languageOf } from "./language.ts";
import { toPage } from "./to-page.ts";
import {
  lowConfidence,
  RecogniserProblem,
  type PageImage,
  type Recognise,
  type RecognisedPage,
  type RecognisedWord,
} from "../images/recogniser.ts";

/** How much of one file is read so. */
export interface OcrLimits {
  pages: number;
  /** None is begun later than this. */
  milliseconds: number;
  /** Its pages may be documents of several senders: each page is heard in which language it is. */
  isCollection?: boolean;
}

const documentLimits: OcrLimits = { pages: 40, milliseconds: 90_000 };
/** Spoken where nothing is known of the company and nothing was heard in the document. */
const defaultLanguage = "en";
/** A page that is read with nothing but doubt may be in other letters. */
const cyrillic = ["ru", "uk"];

/** Pages in Cyrillic letters have names, numbers and codes in Latin ones. */
const recogniserLanguages = (language: string): string[] =>
  isCyrillic(language) ? [language, defaultLanguage] : [language];

const speaksCyrillic = (words: readonly RecognisedWord[]): boolean => isCyrillic(languageOf(words) ?? "");

/**
 * Reads the scanned pages of one document, with the words of one language: that of the pages before, else of what a quick
 * look at the first one made out. One page at a time; the time it takes is not the budget's.
 */
export class DocumentOcr implements PageOcr {
  private readonly recognise: Recognise;
  private readonly budget: Budget;
  private readonly countryLanguages: readonly string[];
  private readonly limits: OcrLimits;
  private language: string | undefined;
  /** Quarter turns clockwise that bring a page upright, beside those its picture is painted with. */
  private turn = 0;
  private pictureTurn = 0;
  private pageCount = 0;
  private spentMilliseconds = 0;
  private skippedCount = 0;
  private readonly problems = new Set<string>();

  /** @param country of the company that posts (ISO 3166-1 alpha-2), whose papers are likeliest in its language */
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

  /** What was left out and why, in words for people. */
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
    return again.confidence >= whole.confidence - 0.02 ? again : whole;
  }

  /** Whoever looked at the page before has found out how it lies and what it speaks. */
  private useCached(cached: RecognisedPage): RecognisedPage {
    this.turnTo(cached);
    this.language = languageOf(cached.words) ?? this.language;
    return cached;
  }

  /** Finds out how the first page lies and what it speaks. */
  private async detectOrientationAndLanguage(picture: PageImage): Promise<void> {
    const [home = defaultLanguage] = this.countryLanguages;
    const first = await this.recogniseAs(picture, "Quick", recogniserLanguages(home));
    const others = isCyrillic(home) ? [defaultLanguage] : cyrillic;
    const misread = !isCyrillic(home) && isMisread(first.words);
    const isDoubted = first.confidence < lowConfidence || misread;
    const other = isDoubted && !this.isLate ? await this.recogniseAs(picture, "Quick", others) : undefined;
    const isOther = other && (other.confidence > first.confidence + 0.1 || (misread && speaksCyrillic(other.words)));
    const clearer = isOther ? other : first;
    this.turnTo(clearer);
    this.language = languageOf(clearer.words) ?? (clearer === other ? others[0] : home);
  }

  /** The page turned as a quick look finds it, in a pile also in its own language, where that is not how it was read. */
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

  /** Quarter turns that bring the picture upright. */
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
