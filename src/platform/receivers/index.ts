/** Receivers outside, and how we prove to them who we are: webhooks' now, and whoever else is told something. */
export { deliver, type Attempted, type Receiver } from "./deliver.ts";
export { authenticationAfter } from "./change.ts";
export {
  openAuthentication,
  resealedAuthentication,
  sealAuthentication,
  shownAuthentication,
  type SealedAuthentication,
} from "./sealed.ts";
export type { Message } from "./posting.ts";
export { Authentication, AuthenticationUpdate, AuthenticationView, isOfAws, tokenUrlOf } from "./shape.ts";
export { Tokens, type TokenStore } from "./tokens.ts";
export { unreachedBy } from "./unreached.ts";
