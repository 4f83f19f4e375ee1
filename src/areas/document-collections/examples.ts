import type { CollectionRow, CollectionView } from "./model.ts";

const collectionId = "0193d2e1-4c3a-7b90-8d11-6e2f4a9c5c01";
const fileId = "0193d2e1-4c3a-7b90-8d11-6e2f4a9c5c02";

export const receivedExample = { collectionId };

export const viewExample: CollectionView = {
  collectionId,
  status: "Succeeded",
  files: [{ fileId, fileName: "scan-2026-11-20.pdf", contentType: "application/pdf", sizeBytes: 3_481_204, pages: 3 }],
  documents: [
    {
      documentId: "0193d2e1-4c3a-7b90-8d11-6e2f4a9c5c03",
      type: "Cmrs",
      confidence: 0.96,
      status: "Succeeded",
      fileId,
      pageFrom: 1,
      pageTo: 1,
      items: [{ itemId: "0193d2e1-4c3a-7b90-8d11-6e2f4a9c5c04", page: 1 }],
    },
    {
      documentId: "0193d2e1-4c3a-7b90-8d11-6e2f4a9c5c05",
      type: "Invoices",
      confidence: 0.93,
      status: "Succeeded",
      fileId,
      pageFrom: 2,
      pageTo: 3,
      items: [
        { itemId: "0193d2e1-4c3a-7b90-8d11-6e2f4a9c5c06", page: 2 },
        { itemId: "0193d2e1-4c3a-7b90-8d11-6e2f4a9c5c07", page: 3 },
      ],
    },
  ],
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:04.100Z",
};

const { files, documents, ...rest } = viewExample;
export const rowExample: CollectionRow = {
  ...rest,
  fileNames: files.map(({ fileName }) => fileName),
  documentCount: documents.length,
};
