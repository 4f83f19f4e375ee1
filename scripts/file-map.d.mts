/** @returns `text` with a new list of files */
export function withFileMap(text: string): string;
