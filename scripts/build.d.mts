export declare class BuildFailed extends Error {}

export declare function build(): Promise<{ made: string[]; gazetteer: string }>;
