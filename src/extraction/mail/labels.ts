/** What a mail of the freight trade may be about, spelled as on the wire. */
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
