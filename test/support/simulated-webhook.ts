import { freightCommands as commands } from "../../src/areas/freights/commands.ts";
import type { Event } from "../../src/platform/decision.ts";
import { freight } from "./freights.ts";
import { SimulatedFreight } from "./simulated-freight.ts";

export const second = 1000;

/** Makes a simulated freight to which nothing is subscribed. */
export function freightWithoutWebhooks(): SimulatedFreight {
  const life = new SimulatedFreight();
  life.webhooks.clear();
  return life;
}

/** A simulated webhook object of a freight. It accepts events, fails, never answers, or answers late. */
export class SimulatedWebhook {
  is: "Well" | "Failing" | "Silent" | "Late" = "Well";
  readonly heard: Event[] = [];
  calls: number[] = [];
  private readonly life: SimulatedFreight;

  constructor(life: SimulatedFreight, id: string) {
    this.life = life;
    life.webhooks.set(id, (events) => this.enqueue(events));
  }

  /** The versions, in the order in which they first arrived. */
  get versions(): number[] {
    return this.heard.map(({ sequence }) => sequence);
  }

  private async enqueue(events: Event[]): Promise<"Taken"> {
    this.calls.push(this.life.timeline.passed);
    if (this.is === "Failing") throw new Error("The webhook is broken.");
    if (this.is === "Silent") return new Promise(() => undefined);
    if (this.is === "Late") await new Promise<void>((resolve) => this.life.timeline.after(15 * second, resolve));
    const known = new Set(this.heard.map(({ id }) => id));
    this.heard.push(...events.filter(({ id }) => !known.has(id)));
    return "Taken";
  }
}

const bodyOf = (life: SimulatedFreight, version: number) =>
  life.said(freight({ externalNumber: "FR-1", internalComments: `version ${version}` }));

/** Publishes the simulated freight, as version 1. */
export const publish = async (life: SimulatedFreight) => life.ask(commands.create, await bodyOf(life, 1));

/** Replaces the simulated freight by a version. */
export const change = async (life: SimulatedFreight, version: number) =>
  life.ask(commands.replace, await bodyOf(life, version));

/** Counts from 1 to the last number. */
export const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
