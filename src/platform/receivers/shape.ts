import * as z from "zod";
import { choice, LineText } from "../../domain/shapes.ts";

const kinds = ["None", "ApiKey", "Basic", "OAuth2", "Lambda", "Sqs"] as const;
export type Kind = (typeof kinds)[number];

/** Headers for transport, content and signatures, which callers must not set. */
const reservedHeader =
  /^(host|content-.*|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|date|cookie|set-cookie|user-agent|accept-encoding|via|forwarded|proxy-.*|sec-.*|webhook-.*|cf-.*|cdn-loop|x-real-ip|x-forwarded-.*|x-amz-.*)$/i;

const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, "Not a header name of 1 to 64 letters, digits and dashes")
  .refine((name) => !reservedHeader.test(name), "This header is reserved");

/** A header value: visible ASCII with single or multiple blanks between. */
const HeaderValue = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\x21-\x7e]+( +[\x21-\x7e]+)*$/, "Only visible ASCII characters, with blanks between them, are allowed");

const Region = z
  .string()
  .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, { message: "Not a region of AWS, such as eu-central-1", abort: true });
const FunctionName = z
  .string()
  .max(300)
  .regex(
    /^(arn:aws[a-z-]*:lambda:[a-z0-9-]+:\d{12}:function:)?[A-Za-z0-9_-]{1,140}(:(\$LATEST|[A-Za-z0-9_-]{1,128}))?$/,
    { message: "Not the name or the ARN of a function", abort: true },
  );
const QueueUrl = z
  .string()
  .regex(/^https:\/\/sqs\.[a-z0-9-]+\.amazonaws\.com(\.cn)?\/\d{12}\/[A-Za-z0-9_-]{1,80}(\.fifo)?$/, {
    message: "Not the URL of a queue such as https://sqs.eu-central-1.amazonaws.com/123456789012/orders",
    abort: true,
  });

const keysOfAws = {
  accessKeyId: z.string().regex(/^\w{1,128}$/, "Not the id of an access key"),
  secretAccessKey: HeaderValue(256),
};

const None = z.object({ type: z.literal("None") });
const ApiKey = z.object({
  type: z.literal("ApiKey"),
  headerName: HeaderName.describe("The header that contains the key, such as `X-Api-Key` or `Authorization`."),
  apiKey: HeaderValue(4096).describe("The whole value of the header."),
});
const Basic = z.object({
  type: z.literal("Basic"),
  username: LineText(255)
    .min(1)
    .refine((name) => !name.includes(":"), "A colon is not allowed"),
  password: LineText(1024),
});
const OAuth2 = z.object({
  type: z.literal("OAuth2"),
  tokenUrl: z
    .string()
    .max(2048)
    .describe("The token endpoint for the grant `client_credentials`: https and a public address."),
  clientId: LineText(512).min(1),
  clientSecret: LineText(4096).min(1),
  scope: HeaderValue(1024).optional(),
  clientAuthentication: choice(["Basic", "Post"])
    .default("Basic")
    .describe("`Basic`, the default, sends id and secret in the header Authorization; `Post` sends them in the form."),
});
const Lambda = z.object({
  type: z.literal("Lambda"),
  region: Region,
  functionName: FunctionName.describe("Name or ARN, optionally with a version or an alias."),
  ...keysOfAws,
});
const Sqs = z.object({
  type: z.literal("Sqs"),
  region: Region,
  queueUrl: QueueUrl.describe(
    "For a FIFO queue, the message group is the resource, and the deduplication id is the id of the event.",
  ),
  ...keysOfAws,
});

const shapes = {
  None,
  ApiKey,
  Basic,
  OAuth2,
  Lambda: Lambda.refine(({ region, functionName }) => inRegion(functionName.split(":")[3], region), {
    message: "The function is in another region",
    path: ["functionName"],
  }),
  Sqs: Sqs.refine(({ region, queueUrl }) => new URL(queueUrl).host === hostOf("sqs", region), {
    message: "The queue is in another region",
    path: ["queueUrl"],
  }),
};

/** @param named the region of an ARN; undefined for a name */
const inRegion = (named: string | undefined, region: string) => named === undefined || named === region;

/** The host of an AWS service: derived from the region, never from an address that a caller sends. */
export const hostOf = (service: "lambda" | "sqs", region: string) =>
  `${service}.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;

const Typed = z.object({ type: choice(kinds) });
const WebhookAuthType = z.enum(kinds).meta({ id: "WebhookAuthType" });
/** Lists all kinds of the union in the OpenAPI document. */
const OfAnyKind = z.object({ type: WebhookAuthType });
const OfKind = z.discriminatedUnion("type", [
  None.meta({ id: "NoAuthentication" }),
  ApiKey.meta({ id: "ApiKeyAuthentication" }),
  Basic.meta({ id: "BasicAuthentication" }),
  OAuth2.meta({ id: "Oauth2Authentication" }),
  shapes.Lambda.meta({ id: "LambdaAuthentication" }),
  shapes.Sqs.meta({ id: "SqsAuthentication" }),
]);

/**
 * The authentication at a receiver, as a caller sends it. Errors refer to the named kind. Its secrets are plain text: seal it before
 * it is stored.
 */
export const Authentication = z
  .preprocess(
    (given, context) => {
      const typed = Typed.safeParse(given, { reportInput: true });
      const parsed = typed.success
        ? shapes[typed.data.type].safeParse({ ...(given as object), type: typed.data.type }, { reportInput: true })
        : typed;
      if (!parsed.success) context.issues.push(...(parsed.error.issues as never[]));
      return parsed.data ?? typed.data;
    },
    z.intersection(OfAnyKind, OfKind),
  )
  .meta({ id: "WebhookAuthentication" }) as unknown as z.ZodType<Authentication, z.input<typeof OfKind>>;
export type Authentication = z.output<typeof OfKind>;

/** Masks a secret in responses. */
export const maskedSecret = "***";

/** The authentication of an existing receiver: a secret may be omitted or sent masked, which keeps it. */
export const AuthenticationUpdate = z.preprocess((given) => {
  const typed = Typed.safeParse(given);
  const field = typed.success && secretField[typed.data.type];
  const isLeftOut = field && (given as Record<string, unknown>)[field] === undefined;
  return isLeftOut ? { ...(given as object), [field]: maskedSecret } : given;
}, Authentication) as unknown as z.ZodType<Authentication, z.input<typeof OfKind>>;

export type AuthenticationOf<K extends Kind> = Extract<Authentication, { type: K }>;

/** Kinds whose receiver is a function or queue, and needs no address. */
export const isOfAws = ({ type }: Pick<Authentication, "type">): boolean => type === "Lambda" || type === "Sqs";

/** The token endpoint of `OAuth2`. */
export const tokenUrlOf = (authentication: Authentication): string | undefined =>
  authentication.type === "OAuth2" ? authentication.tokenUrl : undefined;

/** The secret field of each kind, which is never returned. */
export const secretField = {
  None: undefined,
  ApiKey: "apiKey",
  Basic: "password",
  OAuth2: "clientSecret",
  Lambda: "secretAccessKey",
  Sqs: "secretAccessKey",
} as const satisfies Record<Kind, string | undefined>;

const Hidden = z.literal(maskedSecret).describe("The secret is never returned.");

/** Authentication with its secrets masked. */
const Shown = z.discriminatedUnion("type", [
  None.meta({ id: "NoAuthenticationView" }),
  ApiKey.extend({ apiKey: Hidden }).meta({ id: "ApiKeyAuthenticationView" }),
  Basic.extend({ password: Hidden }).meta({ id: "BasicAuthenticationView" }),
  OAuth2.extend({ clientSecret: Hidden }).meta({ id: "Oauth2AuthenticationView" }),
  Lambda.extend({ secretAccessKey: Hidden }).meta({ id: "LambdaAuthenticationView" }),
  Sqs.extend({ secretAccessKey: Hidden }).meta({ id: "SqsAuthenticationView" }),
]);
export const AuthenticationView = z.intersection(OfAnyKind, Shown).meta({ id: "WebhookAuthenticationView" });
export type AuthenticationView = z.output<typeof Shown>;
