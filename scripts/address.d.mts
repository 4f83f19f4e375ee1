export declare class AddressUnavailable extends Error {}

/** @throws AddressUnavailable */
export declare function assertFree(host: string, port: number): Promise<void>;
