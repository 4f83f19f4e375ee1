/** Delivers messages to external receivers, such as webhooks, with their authentication. */
export { deliver, externalFailureOf, type AttemptResult, type Receiver } from "./deliver.ts";
export { updateAuthentication } from "./change.ts";
export {
  openAuthentication,
  resealAuthentication,
  sealAuthentication,
  toAuthenticationView,
  type SealedAuthentication,
} from "./sealed.ts";
export type { Message } from "./transport.ts";
export { Authentication, AuthenticationUpdate, AuthenticationView, isOfAws, tokenUrlOf } from "./shape.ts";
export { Tokens, type TokenStore } from "./tokens.ts";
