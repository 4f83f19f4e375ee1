/** Senders of documents: what corrections of their documents taught, company by company. */
export { memberNames, memoryOf, senderIndexes, pilesBefore, teach, teachPile, type Teaching } from "./memory.ts";
export { commands, type Sender } from "./commands.ts";
