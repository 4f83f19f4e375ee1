import { acceptMail } from "./incoming-mail/route.ts";
import { consume } from "./queue.ts";
import type { Env, Job } from "./platform/env.ts";
import { addressOf } from "./http/responses.ts";
import { newId } from "./platform/ids.ts";
import { log, logFault, logBuffered } from "./platform/log.ts";
import { Problem } from "./platform/problem.ts";
import { pages } from "./pages/pages.ts";
import { route, type RequestState } from "./http/router.ts";
import { reconcile } from "./reconcile.ts";

export { AutomationObject } from "../durable-objects/automation.ts";
export { ClaimObject } from "../durable-objects/claim.ts";
export { CompanyObject } from "../durable-objects/company.ts";
export { DocumentObject } from "../durable-objects/document.ts";
export { DriverDocumentObject } from "../durable-objects/driver-document.ts";
export { FeedbackObject } from "../durable-objects/feedback.ts";
export { FreightObject } from "../durable-objects/freight.ts";
export { IncomingMailObject } from "../durable-objects/incoming-mail.ts";
export { LedgerObject } from "../durable-objects/ledger.ts";
export { OpportunityObject } from "../durable-objects/opportunity.ts";
export { OrderObject } from "../durable-objects/order.ts";
export { DocumentCollectionObject } from "../durable-objects/document-collection.ts";
export { QualityObject } from "../durable-objects/quality.ts";
export { PrivacyObject } from "../durable-objects/privacy.ts";
export { SenderObject } from "../durable-objects/sender-of-documents.ts";
export { SubscriptionObject } from "../durable-objects/subscription.ts";
export { VehicleObject } from "../durable-objects/vehicle.ts";

export default {
  async fetch(request, env, context) {
    const began = Date.now();
    const requestId = newId();
    const state: RequestState = {
      env,
      request,
      requestId,
      url: new URL(request.url),
      headers: { "x-request-id": requestId },
    };
    const response = await answered(state).catch((error: unknown) => broken(state, error));
    const { operation, company } = state;
    const { status } = response;
    const milliseconds = Date.now() - began;
    const line = { what: "request", requestId, method: request.method, operation, company, status, milliseconds };
    if (status >= 500) log(line);
    else logBuffered(line, context);
    return response;
  },

  queue: (batch, env) => consume(batch, env),

  email: (message, env) => acceptMail(message, env),

  scheduled: (_, env) => reconcile(env),
} satisfies ExportedHandler<Env, Job>;

async function answered(state: RequestState): Promise<Response> {
  const page = await pages(state);
  return page ? withId(page, state.requestId) : route(state);
}

function withId(page: Response, requestId: string): Response {
  const response = new Response(page.body, page);
  response.headers.set("x-request-id", requestId);
  return response;
}

function broken(state: RequestState, error: unknown): Response {
  logFault("request", error, { requestId: state.requestId, operation: state.operation });
  const response = new Problem(
    "internal_error",
    `Contact support and quote the request id ${state.requestId}.`,
  ).toResponse(state.url.pathname, state.requestId, addressOf(state.request, state.env));
  response.headers.set("x-request-id", state.requestId);
  return response;
}
