import type { KeptCard } from "../../domain/payment-cards.ts";
import type { VehicleInput, VehicleView } from "./shapes.ts";

// What happens to it: nothing anybody is told of

export const events = {};

// What is remembered

export interface Card extends KeptCard {
  provider: string;
}

/** What the company says of a vehicle. */
export type Given = Omit<VehicleInput, "metadata" | "cards"> & { cards?: Card[] };

/** A vehicle of the company's fleet, or one that it offers. */
export interface Vehicle {
  /** Nothing of one that was removed. */
  given?: Given;
  metadata?: Record<string, string>;
  createdAt: string;
  updatedAt: string;
}

/** A vehicle that was not removed. */
export type PresentVehicle = Vehicle & { given: Given };

export const isPresent = (vehicle: Vehicle | undefined): vehicle is PresentVehicle => vehicle?.given !== undefined;

export const viewOf = (vehicle: PresentVehicle, vehicleId: string): VehicleView => {
  const { loading, cards, ...given } = vehicle.given;
  return {
    vehicleId,
    ...given,
    ...(loading && { loading: { address: loading.address, ...(loading.period && { period: loading.period }) } }),
    ...(cards && { cards: cards.map(({ provider, last4 }) => ({ provider, last4 })) }),
    ...(vehicle.metadata && { metadata: vehicle.metadata }),
    createdAt: vehicle.createdAt,
    updatedAt: vehicle.updatedAt,
  };
};
