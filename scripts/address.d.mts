export declare class AddressUnavailable extends Error {}

/** @throws AddressUnavailable if nothing can listen at the address */
export declare function assertFree(host: string, port: number): Promise<void>;

/** Finds a port on which nothing listens. */
export declare function freePort(host: string): Promise<number>;
