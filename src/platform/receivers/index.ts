/** Receivers outside, and how we prove to them who we are: webhooks' now, and whoever else is told something. */
export { deliver, type AttemptResult, type Receiver } from "./deliver.ts";
export { updateAuthentication } from "./change.ts";
export {
  openAuthentication,
  resealAuthentication,
  sealAuthentication,
  toAuthenticationView,
  type SealedAuthentication,
} from "./sealed.ts";
export type { Message } from "./posting.ts";
export { Authentication, AuthenticationUpdate, AuthenticationView, isOfAws, tokenUrlOf } from "./shape.ts";
export { Tokens, type TokenStore } from "./tokens.ts";
export { externalFailureOf } from "./unreached.ts";
