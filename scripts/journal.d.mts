/** Opens a file of JSON lines. A `message` may contain several lines. */
export declare function openJournal(path?: string): {
  write(entry: { level: string; message: string; at: number }): void;
  close(): void;
};
