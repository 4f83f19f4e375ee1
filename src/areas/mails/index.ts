/** Mails that come in: what they are, what was made of them, and what their senders are answered. */
export { addressOf, companyOf, isOwn } from "./address.ts";
export { answerTo } from "./answer.ts";
export { isAnswer, isAutomatic } from "./loops.ts";
export { folder, mailRow, type Mail } from "./mail.ts";
export { operations } from "./operations.ts";
export { settingsOperations, settingsCommands } from "./settings.ts";
export type { MailKind, MailView } from "./shapes.ts";
export { commands } from "./commands.ts";
