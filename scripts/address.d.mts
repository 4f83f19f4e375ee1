export declare class AddressUnavailable extends Error {}

/** @throws AddressUnavailable */
export declare function assertFree(host: string, port: number): Promise<void>;

/** A port nobody listens on. */
export declare function freePort(host: string): Promise<number>;
