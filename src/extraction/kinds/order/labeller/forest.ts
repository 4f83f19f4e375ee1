/** Decision trees whose leaves add up to the logarithm of the odds. */
export interface ForestModel {
  /**
   * The nodes of all trees, each before its children, in base64. Of a test: number of its sign, and how many nodes its
   * right branch is away. Of a leaf: -1 and 0. Both are 16-bit integers.
   */
  tests: string;
  /** For each test, the largest value that goes left; for each leaf, what it adds. 32-bit numbers, in base64. */
  values: string;
  /** Number of nodes of each tree. 16-bit integers, in base64. */
  sizes: string;
}

/** A forest that is ready for use. */
export interface Forest {
  tests: Int16Array;
  values: Float32Array;
  sizes: Int16Array;
}

const bytesOf = (base64: string): ArrayBuffer => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer;

export const forestOf = ({ tests, values, sizes }: ForestModel): Forest => ({
  tests: new Int16Array(bytesOf(tests)),
  values: new Float32Array(bytesOf(values)),
  sizes: new Int16Array(bytesOf(sizes)),
});

/** Returns the probability of a yes for these measures. */
export function chanceOf({ tests, values, sizes }: Forest, measures: ArrayLike<number>): number {
  let sum = 0;
  let root = 0;
  for (const size of sizes) {
    let at = root;
    for (let sign = tests[2 * at]!; sign >= 0; sign = tests[2 * at]!)
      at += measures[sign]! <= values[at]! ? 1 : tests[2 * at + 1]!;
    sum += values[at]!;
    root += size;
  }
  return 1 / (1 + Math.exp(-sum));
}

/** The measures of one thing after the other, by the numbers of their signs. */
export class Measures {
  private readonly numbers: ReadonlyMap<string, number>;
  readonly values: Float32Array;
  private readonly set: number[] = [];

  /** @param numbers the numbers of the signs that forests test */
  constructor(numbers: ReadonlyMap<string, number>) {
    this.numbers = numbers;
    this.values = new Float32Array(numbers.size);
  }

  /** Adds signs to those that are set. Measures are rounded as in training. */
  add(signs: Readonly<Record<string, number>>): void {
    for (const name in signs) {
      const number = this.numbers.get(name);
      if (number === undefined) continue;
      this.values[number] = Math.round(signs[name]! * 100) / 100;
      this.set.push(number);
    }
  }

  /** Returns how many measures are set, for {@link backTo}. */
  get count(): number {
    return this.set.length;
  }

  /** Takes away the measures that were added last, until only so many are left. */
  backTo(count: number): void {
    while (this.set.length > count) this.values[this.set.pop()!] = 0;
  }
}
