export function quietWrangler(): void;
export function runsInCi(env?: Record<string, string | undefined>): boolean;
