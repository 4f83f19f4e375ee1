/** Labels for what a freight mail is about, spelled as in the API. */
export const mailLabels = [
  "Order",
  "OrderChange",
  "OrderCancellation",
  "QuoteRequest",
  "QuoteAnswer",
  "Invoice",
  "PaymentReminder",
  "DocumentDelivery",
  "StatusRequest",
  "StatusUpdate",
  "Delay",
  "Complaint",
  "Fine",
  "VehicleOffer",
  "Newsletter",
  "Spam",
  "AutoReply",
  "Other",
] as const;

export type MailLabel = (typeof mailLabels)[number];
