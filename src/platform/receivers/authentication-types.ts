import * as z from "zod";
import { LineText } from "../../domain/shapes.ts";
import { Lambda, Sqs } from "./aws.ts";
import { defineAuthentication, HeaderValue } from "./define-authentication.ts";
import { OAuth2 } from "./oauth2.ts";

/** Headers for transport, content and signatures, which callers must not choose. */
const reservedHeader =
  /^(host|content-.*|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|date|cookie|set-cookie|user-agent|accept-encoding|via|forwarded|proxy-.*|sec-.*|webhook-.*|cf-.*|cdn-loop|x-real-ip|x-forwarded-.*|x-amz-.*)$/i;

const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, "Not a header name of 1 to 64 letters, digits and dashes")
  .refine((name) => !reservedHeader.test(name), "This header is reserved. Use another name");

const None = defineAuthentication({
  type: "None",
  id: "NoAuthentication",
  fields: {},
  deliver: { headers: () => ({}) },
});

const ApiKey = defineAuthentication({
  type: "ApiKey",
  id: "ApiKeyAuthentication",
  fields: {
    headerName: HeaderName.describe("The header that contains the key, such as `X-Api-Key` or `Authorization`."),
    apiKey: HeaderValue(4096).describe("The whole value of the header."),
  },
  secret: "apiKey",
  deliver: { headers: ({ headerName, apiKey }) => ({ [headerName.toLowerCase()]: apiKey }) },
});

const Basic = defineAuthentication({
  type: "Basic",
  id: "BasicAuthentication",
  fields: {
    username: LineText(255)
      .min(1)
      .refine((name) => !name.includes(":"), "A colon is not allowed"),
    password: LineText(1024),
  },
  secret: "password",
  deliver: {
    headers: ({ username, password }) => ({
      authorization: `Basic ${new TextEncoder().encode(`${username}:${password}`).toBase64()}`,
    }),
  },
});

export const authenticationTypes = [None, ApiKey, Basic, OAuth2, Lambda, Sqs] as const;
