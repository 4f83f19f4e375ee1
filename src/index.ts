export { CompanyObject, OrderObject, SubscriptionObject, ClaimObject } from "../durable-objects/placeholder.ts";
export default { fetch: () => new Response("Lorry") };
