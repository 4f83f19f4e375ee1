import type { QualityRow, QualityView } from "./model.ts";

const documentId = "0193d2e1-4c3a-7b90-8d11-6e2f4a9c5b77";

export const receivedExample = { documentId };

export const viewExample: QualityView = {
  documentId,
  status: "Succeeded",
  expectedType: "Cmrs",
  fileName: "IMG_2044.jpg",
  verdict: "Poor",
  score: 52,
  reasons: ["Blurred", "MissingStamp"],
  pages: [
    {
      page: 1,
      verdict: "Acceptable",
      score: 62,
      reasons: ["Blurred"],
      width: 3024,
      height: 4032,
      resolution: 345,
      letterHeight: 27,
      blur: 0.38,
      darkness: 0.21,
      glare: 0,
      crop: [],
      skew: -1.4,
      rotation: 0,
      blank: false,
    },
  ],
  found: {
    type: "Cmrs",
    confidence: 0.97,
    signatures: 1,
    stamps: 0,
    numbers: ["BS-26-04711"],
    missingPages: [],
  },
  advice: "The picture is blurred. Please hold the phone still, tap on the text to focus, and take it again.",
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:01.200Z",
};

const { pages: _, ...row } = viewExample;
export const rowExample: QualityRow = row;
