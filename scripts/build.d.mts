export declare class BuildFailed extends Error {}

export declare function build(wanted?: { only?: "assets" }): Promise<{ made: string[]; gazetteer: string }>;
