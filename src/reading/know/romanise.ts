/** Folded Cyrillic in Latin letters, the way the gazetteer spells towns: Ukrainian and Russian share most of it. */
const LATIN: Record<string, string> = {
  а: "a", б: "b", в: "v", г: "g", ґ: "g", д: "d", е: "e", є: "ie", ж: "zh", з: "z", и: "i", і: "i", к: "k", л: "l", м: "m", н: "n",
  о: "o", п: "p", р: "r", с: "s", т: "t", у: "u", ў: "u", ф: "f", х: "kh", ц: "ts", ч: "ch", ш: "sh", щ: "shch", ъ: "", ы: "y", ь: "",
  э: "e", ю: "yu", я: "ya", ј: "j", љ: "lj", њ: "nj", ћ: "c", ђ: "d", џ: "dz",
};

/** "петрозаводск" becomes "petrozavodsk"; a text without Cyrillic letters stays as it is. */
export function romanise(folded: string): string {
  return folded.replace(/[а-яґєіўјљњћђџ]/g, (letter) => LATIN[letter] ?? letter);
}
