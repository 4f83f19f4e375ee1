import * as z from "zod";
import { post, type Message, type TransportContext, type TransportResult } from "./transport.ts";

/** Replaces secrets in responses. */
export const maskedSecret = "***";

const Masked = z.literal(maskedSecret).describe("The secret is never returned.");

/** Declares the shape of a header value: visible ASCII characters, with spaces between them. */
export const HeaderValue = (max: number) =>
  z
    .string()
    .max(max)
    .regex(
      /^[\x21-\x7e]+( +[\x21-\x7e]+)*$/,
      "It must not be empty, and may contain only visible ASCII characters, with spaces between them",
    );

type InputShape<Type extends string, Fields extends z.ZodRawShape> = z.ZodObject<{ type: z.ZodLiteral<Type> } & Fields>;
type ViewShape<Type extends string, Fields extends z.ZodRawShape, Secret extends keyof Fields> = z.ZodObject<
  { type: z.ZodLiteral<Type> } & Omit<Fields, Secret> & Record<Secret, typeof Masked>
>;

interface Declaration<Type extends string, Fields extends z.ZodRawShape, Secret extends keyof Fields & string> {
  type: Type;
  /** Name of the schema in the OpenAPI document. */
  id: string;
  /** The fields besides `type`. */
  fields: Fields;
  /** Sealed when stored, and masked in views and in the delivery log. */
  secret?: Secret;
  /** A condition on several fields. If it does not hold, the error names the field `path`. */
  check?: { holds: (fields: z.output<z.ZodObject<Fields>>) => boolean; message: string; path: keyof Fields & string };
  /**
   * The address of the receiver is derived from the fields. Callers then send no address, and the secret only signs
   * requests.
   */
  derivesAddress?: boolean;
  /** The headers of an HTTP request, which the delivery log masks, or a transport of its own. */
  deliver:
    | { headers: (fields: z.output<z.ZodObject<Fields>>, message: Message) => Headers | Promise<Headers> }
    | ((fields: z.output<z.ZodObject<Fields>>, context: TransportContext) => Promise<TransportResult>);
}

type Headers = Record<string, string>;

/**
 * Declares a type of authentication. Its input, view, sealing and delivery derive from this declaration. To add a type,
 * declare it in `authentication-types.ts`.
 */
export function defineAuthentication<
  const Type extends string,
  Fields extends z.ZodRawShape,
  const Secret extends keyof Fields & string = never,
>({ type, id, fields, secret, check, derivesAddress = false, deliver }: Declaration<Type, Fields, Secret>) {
  const shape = z.object({ type: z.literal(type), ...fields });
  const view = secret ? shape.extend({ [secret]: Masked }) : shape;
  const input = check
    ? shape.refine(check.holds as (value: object) => boolean, { message: check.message, path: [check.path] })
    : shape;
  const transport =
    typeof deliver === "function"
      ? deliver
      : async (authentication: z.output<z.ZodObject<Fields>>, context: TransportContext) =>
          post(context, await deliver.headers(authentication, context.message));
  return {
    type,
    secret: secret as string | undefined,
    derivesAddress,
    input: input.meta({ id }) as unknown as InputShape<Type, Fields>,
    view: view.meta({ id: `${id}View` }) as unknown as ViewShape<Type, Fields, Secret>,
    transport: transport as (authentication: object, context: TransportContext) => Promise<TransportResult>,
  };
}
