import type { EntityType } from "./entity-type.ts";

/** A meaning that words on a freight document can have. The lexicon maps phrases of every language to concepts. */
export interface Concept {
  about:
    | "Document"
    | "Order"
    | "Stop"
    | "Loading"
    | "Unloading"
    | "Party"
    | "Vehicle"
    | "Cargo"
    | "Container"
    | "Price"
    | "Payment"
    | "Invoice"
    | "Receipt"
    | "Note"
    | "Fine"
    | "Insurance"
    | "Licence"
    | "Text"
    | "Page";
  /**
   * How the label stands on the page: as the heading of a section, as a field with its value beside or below it, or as
   * a mark that needs no value.
   */
  stands: "Heading" | "Field" | "Mark";
  /** Types of the values after the label, most likely first. */
  expects: readonly (EntityType | "Text")[];
  /** Whether the label may have several values in one document, stop or cargo line. */
  many: boolean;
}

type Values = readonly (EntityType | "Text")[];

const heading = (about: Concept["about"], expects: Values = []): Concept => ({
  about,
  stands: "Heading",
  expects,
  many: true,
});
const field = (about: Concept["about"], ...expects: Values): Concept => ({
  about,
  stands: "Field",
  expects,
  many: false,
});
const fields = (about: Concept["about"], ...expects: Values): Concept => ({
  about,
  stands: "Field",
  expects,
  many: true,
});
const mark = (about: Concept["about"]): Concept => ({ about, stands: "Mark", expects: [], many: false });

const PARTY: Values = ["Company", "Place", "Street", "Vat"];
const PLACE: Values = ["Place", "Street", "Company"];

export const concepts = {
  titleTransportOrder: mark("Document"),
  titleQuoteRequest: mark("Document"),
  titleInvoice: mark("Document"),
  titleCreditNote: mark("Document"),
  titleCmr: mark("Document"),
  titleFine: mark("Document"),
  titleInsurance: mark("Document"),
  titleReceipt: mark("Document"),
  titleDeliveryNote: mark("Document"),
  titleFuelStatement: mark("Document"),
  titleProforma: mark("Document"),
  titleDrivingLicence: mark("Document"),
  titleDriverCard: mark("Document"),
  titleDriverQualification: mark("Document"),
  titleAdrCertificate: mark("Document"),
  titleIdentityCard: mark("Document"),
  titlePassport: mark("Document"),
  titleResidencePermit: mark("Document"),
  titlePostingCertificate: mark("Document"),
  titleMedical: mark("Document"),
  titleDriverAttestation: mark("Document"),

  orderNumber: field("Order", "Reference"),
  orderDate: field("Order", "Date"),
  reference: fields("Order", "Reference"),
  customerReference: fields("Order", "Reference"),
  bookingNumber: fields("Order", "Reference"),
  deliveryNoteNumber: fields("Order", "Reference"),
  tenderNumber: fields("Order", "Reference"),
  sentNumber: field("Order", "Reference"),
  distance: field("Order", "Quantity"),
  emptyDistance: field("Order", "Quantity"),
  transitTime: field("Order", "Quantity"),

  stop: heading("Stop", PLACE),
  customs: heading("Stop", PLACE),
  place: field("Stop", ...PLACE),
  address: field("Stop", "Street", "Place"),
  street: field("Stop", "Street"),
  postalCode: field("Stop", "Place"),
  city: field("Stop", "Place"),
  country: field("Stop", "Place"),
  companyName: field("Stop", "Company", "Text"),
  date: field("Stop", "Date"),
  time: field("Stop", "Time"),
  timeWindow: field("Stop", "Time", "Date"),
  dateFrom: field("Stop", "Date", "Time"),
  dateTo: field("Stop", "Date", "Time"),
  fixedTime: mark("Stop"),
  openingHours: field("Stop", "Time"),
  timeSlotNumber: fields("Stop", "Reference"),

  loading: heading("Loading", PLACE),
  loadingPlace: field("Loading", ...PLACE),
  loadingDate: field("Loading", "Date"),
  loadingTime: field("Loading", "Time"),
  loadingContact: field("Loading", "Text", "Phone"),
  loadingReference: fields("Loading", "Reference"),
  shipper: heading("Loading", PARTY),
  unloading: heading("Unloading", PLACE),
  unloadingPlace: field("Unloading", ...PLACE),
  unloadingDate: field("Unloading", "Date"),
  unloadingTime: field("Unloading", "Time"),
  unloadingContact: field("Unloading", "Text", "Phone"),
  unloadingReference: fields("Unloading", "Reference"),
  consignee: heading("Unloading", PARTY),

  customer: heading("Party", PARTY),
  carrier: heading("Party", PARTY),
  payer: heading("Party", PARTY),
  contactPerson: field("Party", "Text", "Phone", "Email"),
  phone: field("Party", "Phone"),
  mobile: field("Party", "Phone"),
  fax: field("Party", "Phone"),
  email: field("Party", "Email"),
  website: field("Party", "Link"),
  vatNumber: field("Party", "Vat"),
  registrationNumber: field("Party", "Reference"),
  bankAccount: field("Party", "Iban"),
  bank: field("Party", "Text"),
  bic: field("Party", "Reference"),

  driver: fields("Vehicle", "Text", "Phone"),
  driverPhone: fields("Vehicle", "Phone"),
  vehicle: field("Vehicle", "Plate", "Text"),
  truckPlate: fields("Vehicle", "Plate"),
  trailerPlate: fields("Vehicle", "Plate"),
  plates: fields("Vehicle", "Plate"),
  trailerType: fields("Vehicle", "Text"),
  vehicleRequirements: fields("Vehicle", "Text"),

  goods: field("Cargo", "Text"),
  weight: field("Cargo", "Quantity"),
  grossWeight: field("Cargo", "Quantity"),
  netWeight: field("Cargo", "Quantity"),
  quantity: field("Cargo", "Quantity"),
  pallets: field("Cargo", "Quantity"),
  palletExchange: field("Cargo", "Text"),
  loadingMetres: field("Cargo", "Quantity"),
  volume: field("Cargo", "Quantity"),
  dimensions: field("Cargo", "Dimensions"),
  length: field("Cargo", "Quantity"),
  width: field("Cargo", "Quantity"),
  height: field("Cargo", "Quantity"),
  packaging: field("Cargo", "Text"),
  temperature: field("Cargo", "Temperature"),
  coolingMode: field("Cargo", "Text"),
  adr: field("Cargo", "UnNumber", "Text"),
  stackable: field("Cargo", "Text"),
  notStackable: mark("Cargo"),
  fullLoad: mark("Cargo"),
  partLoad: mark("Cargo"),
  straps: field("Cargo", "Quantity"),
  antiSlipMats: field("Cargo", "Quantity"),
  cargoValue: field("Cargo", "Amount"),
  vin: fields("Cargo", "Vin"),
  colour: field("Cargo", "Text"),
  productCode: fields("Cargo", "Reference"),

  containerNumber: fields("Container", "Container"),
  containerType: field("Container", "Text"),
  seal: fields("Container", "Reference"),
  vessel: field("Container", "Text"),
  shippingLine: field("Container", "Text"),
  terminal: field("Container", "Text", "Place"),
  terminalSlot: field("Container", "Reference", "Date"),
  releaseNumber: fields("Container", "Reference"),
  customsDocument: fields("Container", "Reference"),
  incoterms: field("Order", "Incoterm"),

  price: field("Price", "Amount"),
  basePrice: field("Price", "Amount"),
  fuelSurcharge: field("Price", "Amount", "Percent"),
  toll: field("Price", "Amount"),
  waitingTime: field("Price", "Amount"),
  additionalStop: field("Price", "Amount"),
  customsCharge: field("Price", "Amount"),
  extraCharges: field("Price", "Amount"),
  totalPrice: field("Price", "Amount"),
  netAmount: field("Price", "Amount"),
  grossAmount: field("Price", "Amount"),
  vatAmount: field("Price", "Amount"),
  vatRate: field("Price", "Percent"),
  unitPrice: field("Price", "Amount"),
  pricePerKm: field("Price", "Amount"),
  currency: field("Price", "Text", "Amount"),

  paymentTerm: field("Payment", "Quantity", "Text", "Date"),
  paymentMethod: field("Payment", "Text"),
  dueDate: field("Payment", "Date"),
  invoiceEmail: field("Payment", "Email"),
  requiredDocuments: field("Payment", "Text"),
  originalsByPost: mark("Payment"),
  scansByEmail: mark("Payment"),
  portalUpload: mark("Payment"),

  invoiceNumber: field("Invoice", "Reference"),
  invoiceDate: field("Invoice", "Date"),
  saleDate: field("Invoice", "Date"),
  seller: heading("Invoice", PARTY),
  buyer: heading("Invoice", PARTY),
  lineDescription: field("Invoice", "Text"),
  unitOfMeasure: field("Invoice", "Text"),
  lineAmount: field("Invoice", "Amount"),
  amountDue: field("Invoice", "Amount"),
  prepaidAmount: field("Invoice", "Amount"),
  exchangeRate: field("Invoice", "Amount"),
  receiptNumber: field("Receipt", "Reference"),
  cardNumber: field("Receipt", "Reference"),
  odometer: field("Receipt", "Quantity"),

  cmrNumber: field("Note", "Reference"),
  successiveCarrier: heading("Note", PARTY),
  attachedDocuments: field("Note", "Text"),
  goodsMarks: field("Note", "Text"),
  statisticalNumber: field("Note", "Reference"),
  senderInstructions: field("Note", "Text"),
  carriagePayment: field("Note", "Text"),
  cashOnDelivery: field("Note", "Amount"),
  carrierReservations: field("Note", "Text"),
  specialAgreements: field("Note", "Text"),
  toBePaidBy: field("Note", "Text"),
  establishedIn: field("Note", "Place", "Date"),
  senderSignature: heading("Note"),
  carrierSignature: heading("Note"),
  goodsReceived: heading("Note"),

  fineReference: field("Fine", "Reference"),
  offenceDate: field("Fine", "Date"),
  offenceTime: field("Fine", "Time"),
  offencePlace: field("Fine", "Text", "Place", "Street"),
  offenceKind: field("Fine", "Text"),
  measuredSpeed: field("Fine", "Text"),
  countedSpeed: field("Fine", "Text"),
  speedLimit: field("Fine", "Text"),
  speedExcess: field("Fine", "Text"),
  speedTolerance: field("Fine", "Text"),
  fineAmount: field("Fine", "Amount"),
  fineTotal: field("Fine", "Amount"),
  fineCosts: field("Fine", "Amount"),
  discountedFine: field("Fine", "Amount", "Date"),
  increasedFine: field("Fine", "Amount", "Date"),
  discountUntil: field("Fine", "Date"),
  paymentReference: field("Fine", "Reference"),
  authority: field("Fine", "Text"),
  plateCountry: field("Fine", "Text"),

  policyNumber: field("Insurance", "Reference"),
  insurer: heading("Insurance", PARTY),
  policyHolder: heading("Insurance", PARTY),
  insurancePeriod: field("Insurance", "Date"),
  validFrom: field("Insurance", "Date"),
  validTo: field("Insurance", "Date"),
  sumInsured: field("Insurance", "Amount"),
  insuranceLimit: field("Insurance", "Amount"),
  deductible: field("Insurance", "Amount"),
  premium: field("Insurance", "Amount"),
  territory: field("Insurance", "Text"),
  insuranceKind: field("Insurance", "Text"),

  documentNumber: field("Licence", "Reference"),
  issuedOn: field("Licence", "Date"),
  expiresOn: field("Licence", "Date"),
  issuedBy: field("Licence", "Text"),
  licenceCategories: field("Licence", "Text"),
  surname: field("Licence", "Text"),
  givenNames: field("Licence", "Text"),
  birthDate: field("Licence", "Date"),
  holderName: field("Licence", "Text"),

  terms: heading("Text"),
  penalties: heading("Text", ["Text"]),
  remarks: heading("Text", ["Text"]),
  driverInstructions: heading("Text", ["Text"]),
  accountingRemarks: heading("Text", ["Text"]),
  secureParking: mark("Text"),
  signature: mark("Page"),
  stamp: mark("Page"),
  pageOf: mark("Page"),
} as const satisfies Record<string, Concept>;

export type ConceptId = keyof typeof concepts;

/** Returns the concept of an id. */
export function conceptOf(id: ConceptId): Concept {
  return concepts[id];
}
