/** The values of an invented transport order. All parties, places and numbers are invented. */
export interface PaperValues {
  number: string;
  date: string;
  loading: Stop;
  unloading: Stop;
  price: string;
}

interface Stop {
  name: string;
  street: string;
  town: string;
  date: string;
  reference: string;
}

const usual: Omit<PaperValues, "number"> = {
  date: `18.11.${new Date().getFullYear()}`,
  loading: {
    name: "Muster Papierwerke GmbH",
    street: "Industriestraße 5",
    town: "04158 Leipzig, Germany",
    date: `24.11.${new Date().getFullYear()} 08:00 - 12:00`,
    reference: "LP-88213",
  },
  unloading: {
    name: "Drukarnia Przykład Sp. z o.o.",
    street: "ul. Fabryczna 18",
    town: "53-609 Wrocław, Poland",
    date: `25.11.${new Date().getFullYear()} 07:00 - 15:00`,
    reference: "DP-1190",
  },
  price: "780.00 EUR",
};

/** Returns the lines of an order, by default from Leipzig to Wrocław. */
export function orderLines(said: Pick<PaperValues, "number"> & Partial<PaperValues>): string[] {
  const { number, date, loading, unloading, price } = { ...usual, ...said };
  return [
    `Transport order No. ${number}`,
    `Date: ${date}`,
    "",
    "Customer: Beispiel Spedition GmbH",
    "Hafenstraße 12, 20457 Hamburg, Germany",
    "VAT ID: DE123456788",
    "",
    "Carrier: Vzorová Doprava s.r.o.",
    "Dlouhá 27, 602 00 Brno, Czech Republic",
    "VAT ID: CZ12345679",
    "",
    "Truck: 1BX 4821",
    "Trailer: 2BK 9034",
    "",
    "Loading",
    ...stopLines(loading),
    "",
    "Unloading",
    ...stopLines(unloading),
    "",
    "Goods: printing paper on pallets, 33 EUR pallets, 22 400 kg, 13.6 ldm",
    `Freight price: ${price} net`,
    "Payment term: 30 days after receipt of the invoice and the original CMR.",
  ];
}

const stopLines = ({ name, street, town, date, reference }: Stop) => [
  name,
  street,
  town,
  `Date: ${date}`,
  `Reference: ${reference}`,
];

/** Returns the same order as plain text. */
export const orderText = (number: string, more: Partial<PaperValues> = {}): string =>
  orderLines({ ...more, number }).join("\n");

export const usualLoading = usual.loading;
