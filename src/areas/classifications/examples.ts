import type * as z from "zod";
import type { Classification, MailInput } from "./model.ts";

export const inputExample: z.input<typeof MailInput> = {
  subject: "Transport order BS-26-04711, Leipzig - Wrocław",
  from: "Dispo <dispo@beispiel-spedition.example>",
  to: ["biuro@trans.beispiel.pl"],
  text: "Hello,\n\nplease find attached our transport order BS-26-04711, freight 780 EUR all in. Please confirm with the plates.\n\nKind regards\nErika Muster",
  attachments: [{ fileName: "order.txt", file: "VHJhbnNwb3J0IG9yZGVyIEJTLTI2LTA0NzEx" }],
};

export const example: z.output<typeof Classification> = {
  classificationId: "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8c01",
  label: "Order",
  confidence: 0.98,
  labels: [{ label: "Order", confidence: 0.98 }],
  language: "en",
  entities: {
    orderNumbers: ["BS-26-04711"],
    licensePlates: [],
    vatCodes: [],
    amounts: [{ amount: 780, currency: "EUR" }],
    dates: [],
    places: [
      { countryCode: "DE", city: "Leipzig" },
      { countryCode: "PL", city: "Wrocław" },
    ],
  },
  attachments: [{ fileName: "order.txt", type: "Order", confidence: 0.74 }],
  suggestedActions: [{ method: "POST", path: "/api/v1/orders/file", attachment: "order.txt" }],
};
