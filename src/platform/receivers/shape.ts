import * as z from "zod";
import { choice, LineText } from "../../domain/shapes.ts";

const kinds = ["None", "ApiKey", "Basic", "OAuth2", "Lambda", "Sqs"] as const;
export type Kind = (typeof kinds)[number];

/** Headers that say how a request travels, what it carries, or who signed it: not a caller's to set. */
const reservedHeader =
  /^(host|content-.*|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|date|cookie|set-cookie|user-agent|accept-encoding|via|forwarded|proxy-.*|sec-.*|webhook-.*|cf-.*|cdn-loop|x-real-ip|x-forwarded-.*|x-amz-.*)$/i;

const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, "Not a header name of 1 to 64 letters, digits and dashes")
  .refine((name) => !reservedHeader.test(name), "This header is set by us or on the way");

/** What may stand in a header: visible ASCII, blanks between. */
const HeaderValue = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\x21-\x7e]+( +[\x21-\x7e]+)*$/, "Not visible ASCII characters, with blanks between them at most");

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
    message: "Not the URL of a queue, such as https://sqs.eu-central-1.amazonaws.com/123456789012/orders",
    abort: true,
  });

const keysOfAws = {
  accessKeyId: z.string().regex(/^\w{1,128}$/, "Not the id of an access key"),
  secretAccessKey: HeaderValue(256),
};

const None = z.object({ type: z.literal("None") });
const ApiKey = z.object({
  type: z.literal("ApiKey"),
  headerName: HeaderName.describe("The header the key is sent in, such as `X-Api-Key` or `Authorization`."),
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
    .describe("Where tokens are asked for with the grant `client_credentials`: https to a public address."),
  clientId: LineText(512).min(1),
  clientSecret: LineText(4096).min(1),
  scope: HeaderValue(1024).optional(),
  clientAuthentication: choice(["Basic", "Post"])
    .default("Basic")
    .describe("`Basic`, the default, sends id and secret in the header Authorization, `Post` in the form."),
});
const Lambda = z.object({
  type: z.literal("Lambda"),
  region: Region,
  functionName: FunctionName.describe("Name or ARN, with a version or an alias where one is meant."),
  ...keysOfAws,
});
const Sqs = z.object({
  type: z.literal("Sqs"),
  region: Region,
  queueUrl: QueueUrl.describe(
    "A FIFO queue gets the resource as message group and the id of the event for deduplication.",
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

/** An ARN names its region, a name alone or with an alias does not. */
const inRegion = (said: string | undefined, region: string) => said === undefined || said === region;

/** Where a service of AWS is called: made from the region, never from what a caller names as address. */
export const hostOf = (service: "lambda" | "sqs", region: string) =>
  `${service}.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;

const Typed = z.object({ type: choice(kinds) });
const WebhookAuthType = z.enum(kinds).meta({ id: "WebhookAuthType" });
/** Names every kind of a union, beside what each kind says of itself. */
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
 * How we prove to a receiver who we are, as a caller sends it. What is wrong is said of the kind that was named.
 * Its secrets are plain text: seal it before it is kept.
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

/** What stands in the place of a secret wherever it is shown. */
export const maskedSecret = "***";

/** The same for a receiver that is there already: a secret may be left out, or sent as it is shown. */
export const AuthenticationUpdate = z.preprocess((given) => {
  const typed = Typed.safeParse(given);
  const field = typed.success && secretField[typed.data.type];
  const isLeftOut = field && (given as Record<string, unknown>)[field] === undefined;
  return isLeftOut ? { ...(given as object), [field]: maskedSecret } : given;
}, Authentication) as unknown as z.ZodType<Authentication, z.input<typeof OfKind>>;

/** One kind of it. */
export type AuthenticationOf<K extends Kind> = Extract<Authentication, { type: K }>;

/** Kinds whose receiver is named by its function or queue, and needs no address. */
export const isOfAws = ({ type }: Pick<Authentication, "type">): boolean => type === "Lambda" || type === "Sqs";

/** Where a token is asked for, with the kind that needs one. */
export const tokenUrlOf = (authentication: Authentication): string | undefined =>
  authentication.type === "OAuth2" ? authentication.tokenUrl : undefined;

/** The one field of each kind that nobody is shown again. */
export const secretField = {
  None: undefined,
  ApiKey: "apiKey",
  Basic: "password",
  OAuth2: "clientSecret",
  Lambda: "secretAccessKey",
  Sqs: "secretAccessKey",
} as const satisfies Record<Kind, string | undefined>;

const Hidden = z.literal(maskedSecret).describe("Never shown again.");

/** The same without its secrets. */
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
