const maxMoney = 1_000_000_000;

/** Minimum and maximum of each figure of a transaction; amounts in units of its currency. */
export const bounds = {
  quantity: [-1_000_000, 1_000_000],
  unitPrice: [0, maxMoney],
  netAmount: [-maxMoney, maxMoney],
  vatAmount: [-maxMoney, maxMoney],
  grossAmount: [-maxMoney, maxMoney],
  odometer: [0, 10_000_000],
  latitude: [-90, 90],
  longitude: [-180, 180],
} as const satisfies Record<string, readonly [least: number, most: number]>;

/** Whether a figure is plausible. */
export const isWithin = (field: keyof typeof bounds, value: number): boolean =>
  value >= bounds[field][0] && value <= bounds[field][1];
