/** A file of JSON lines; `message` may hold several of them. */
export declare function openJournal(path?: string): {
  write(entry: { level: string; message: string; at: number }): void;
  close(): void;
};
