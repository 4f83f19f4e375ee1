/** Delivers messages to external receivers, such as webhooks, with their authentication. */
export { deliver, externalFailureOf, type AttemptResult, type Receiver } from "./deliver.ts";
export {
  openAuthentication,
  resealAuthentication,
  sealAuthentication,
  toAuthenticationView,
  updateAuthentication,
  type SealedAuthentication,
} from "./sealed.ts";
export type { Message } from "./transport.ts";
export {
  Authentication,
  AuthenticationUpdate,
  AuthenticationView,
  derivesAddress,
  tokenUrlOf,
} from "./authentication.ts";
export { Tokens, type TokenStore } from "./tokens.ts";
