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

const oneDocument: OcrLimits = { pages: 40, milliseconds: 90_000 };
/** Spoken where nothing is known of the company and nothing was heard in the document. */
const common = "en";
/** A page that is read with nothing but doubt may be in other letters. */
const cyrillic = ["ru", "uk"];

/** Pages in Cyrillic letters have names, numbers and codes in Latin ones. */
const spokenWith = (language: string): string[] => (isCyrillic(language) ? [language, common] : [language]);

const speaksCyrillic = (words: readonly RecognisedWord[]): boolean => isCyrillic(languageOf(words) ?? "");

/**
 * Reads the scanned pages of one document, with the words of one language: that of the pages before, else of what a quick
 * look at the first one made out. One page at a time; the time it takes is not the budget's.
 */
export class DocumentOcr implements PageOcr {
  private readonly recognise: Recognise;
  private readonly budget: Budget;
  private readonly home: readonly string[];
  private readonly limits: OcrLimits;
  private language: string | undefined;
  /** Quarter turns clockwise that bring a page upright, beside those its picture is painted with. */
  private turn = 0;
  private painted = 0;
  private seen = 0;
  private spent = 0;
  private left = 0;
  private readonly problems = new Set<string>();

  /** @param country of the company that posts (ISO 3166-1 alpha-2), whose papers are likeliest in its language */
  constructor(recognise: Recognise, budget: Budget, country: string | undefined, limits = oneDocument) {
    this.limits = limits;
    this.recognise = recognise;
    this.budget = budget;
    this.home = country ? languagesOfCountry(country) : [];
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
    if (this.seen >= this.limits.pages || this.isLate) {
      this.left++;
      return undefined;
    }
    this.seen++;
    this.painted = turn;
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
    const beyond = this.left > 0 ? [`Scanned pages beyond the limit were not read: ${this.left}.`] : [];
    return [...this.problems, ...beyond];
  }

  private get isLate(): boolean {
    return this.spent >= this.limits.milliseconds;
  }

  private async recogniseWell(picture: PageImage): Promise<RecognisedPage> {
    const known = await this.recognise.cached?.(picture);
    if (known) return this.useCached(known);
    if (!this.language) await this.detectOrientationAndLanguage(picture);
    const first = await this.recogniseAs(picture, "Whole", this.spoken);
    const better = first.confidence >= lowConfidence || this.isLate ? undefined : await this.retry(picture, first);
    const whole = better ?? first;
    const heard = languageOf(whole.words);
    const isSettled = this.seen > 1 && !this.limits.isCollection;
    if (!heard || heard === this.language || isSettled || this.isLate) return whole;
    this.language = heard;
    const again = await this.recogniseAs(picture, "Whole", this.spoken);
    return again.confidence >= whole.confidence - 0.02 ? again : whole;
  }

  /** Whoever looked at the page before has found out how it lies and what it speaks. */
  private useCached(known: RecognisedPage): RecognisedPage {
    this.turnTo(known);
    this.language = languageOf(known.words) ?? this.language;
    return known;
  }

  /** Finds out how the first page lies and what it speaks. */
  private async detectOrientationAndLanguage(picture: PageImage): Promise<void> {
    const [home = common] = this.home;
    const first = await this.recogniseAs(picture, "Quick", spokenWith(home));
    const others = isCyrillic(home) ? [common] : cyrillic;
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
    if (this.limits.isCollection && this.seen > 1) await this.detectOrientationAndLanguage(picture);
    else this.turnTo(await this.recogniseAs(picture, "Quick", this.spoken));
    if (this.lies === read.turn && this.language === before) return undefined;
    const again = await this.recogniseAs(picture, "Whole", this.spoken);
    if (again.confidence > read.confidence) return again;
    this.language = before;
    return undefined;
  }

  private turnTo({ turn }: RecognisedPage): void {
    this.turn = (turn - this.painted + 4) % 4;
  }

  /** Quarter turns that bring the picture upright. */
  private get lies(): number {
    return (this.turn + this.painted) % 4;
  }

  private get spoken(): string[] {
    return spokenWith(this.language ?? common);
  }

  private async recogniseAs(
    picture: PageImage,
    depth: "Quick" | "Whole",
    languages: string[],
  ): Promise<RecognisedPage> {
    const began = Date.now();
    try {
      return await this.recognise(picture, { depth, languages, turn: this.lies });
    } finally {
      const took = Date.now() - began;
      this.spent += took;
      this.budget.allow(took);
    }
  }
}
