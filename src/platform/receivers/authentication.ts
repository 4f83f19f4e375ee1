import * as z from "zod";
import { choice } from "../../domain/shapes.ts";
import { authenticationTypes } from "./authentication-types.ts";
import { maskedSecret } from "./define-authentication.ts";

type Types = typeof authenticationTypes;
type TypeName = Types[number]["type"];

type ShapesOf<List, Name extends "input" | "view"> = {
  -readonly [K in keyof List]: List[K] extends Record<Name, infer Shape> ? Shape : never;
};

const names = authenticationTypes.map(({ type }) => type) as [TypeName, ...TypeName[]];
const byName = new Map(authenticationTypes.map((one) => [one.type, one]));

/** Returns the declaration of an authentication's type. */
export const typeOf = ({ type }: { type: TypeName }): Types[number] => byName.get(type)!;

function shapesOf<Name extends "input" | "view">(name: Name): ShapesOf<Types, Name> {
  return authenticationTypes.map((one) => one[name]) as unknown as ShapesOf<Types, Name>;
}

const Typed = z.object({ type: choice(names) });
const WebhookAuthType = z.enum(names).meta({ id: "WebhookAuthType" });
/** Lists the types in one enumeration of the OpenAPI document. */
const OfAnyType = z.object({ type: WebhookAuthType });
const OfType = z.discriminatedUnion("type", shapesOf("input"));

/** The authentication at a receiver as a caller sends it. Its secrets are plain text: seal it before storing it. */
export const Authentication = z
  .preprocess(
    (value, context) => {
      const typed = Typed.safeParse(value, { reportInput: true });
      const parsed = typed.success
        ? typeOf(typed.data).input.safeParse({ ...(value as object), type: typed.data.type }, { reportInput: true })
        : typed;
      if (!parsed.success) context.issues.push(...(parsed.error.issues as never[]));
      return parsed.data ?? typed.data;
    },
    z.intersection(OfAnyType, OfType),
  )
  .meta({ id: "WebhookAuthentication" }) as unknown as z.ZodType<Authentication, z.input<typeof OfType>>;
export type Authentication = z.output<typeof OfType>;

/** The authentication in an update of a receiver. To keep its secret, the caller omits it or sends the mask. */
export const AuthenticationUpdate = z.preprocess((value) => {
  const typed = Typed.safeParse(value);
  const field = typed.success && typeOf(typed.data).secret;
  const isOmitted = field && (value as Record<string, unknown>)[field] === undefined;
  return isOmitted ? { ...(value as object), [field]: maskedSecret } : value;
}, Authentication) as unknown as z.ZodType<Authentication, z.input<typeof OfType>>;

const MaskedOfType = z.discriminatedUnion("type", shapesOf("view"));
/** The authentication with its secrets masked. */
export const AuthenticationView = z.intersection(OfAnyType, MaskedOfType).meta({ id: "WebhookAuthenticationView" });
export type AuthenticationView = z.output<typeof MaskedOfType>;

/** Whether the address of the receiver is derived from its authentication, as for functions and queues of AWS. */
export const derivesAddress = (authentication: { type: TypeName }): boolean => typeOf(authentication).derivesAddress;

/** Returns the token endpoint of an authentication; undefined if it has none. */
export const tokenUrlOf = (authentication: Authentication): string | undefined =>
  "tokenUrl" in authentication ? authentication.tokenUrl : undefined;
