import { DurableObject } from "cloudflare:workers";
export class CompanyObject extends DurableObject {}
export class OrderObject extends DurableObject {}
export class SubscriptionObject extends DurableObject {}
export class ClaimObject extends DurableObject {}
