export declare function bannedNames(
  banned: { words: Record<string, string>; names: Record<string, string> },
  files: { file: string; text: string }[],
): { file: string; name: string; word: string; instead: string }[];
