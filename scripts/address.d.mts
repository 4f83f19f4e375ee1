export declare class AddressUnavailable extends Error {}

/** @throws AddressUnavailable */
export declare function assertFree(host: string, port: number): Promise<void>;

/** Finds a port on which nothing listens. */
export declare function freePort(host: string): Promise<number>;
