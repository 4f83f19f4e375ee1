import type { Alternative, Evidence, ExtractedItem } from "../document/extraction-result.ts";
import { areStrangers, isFields, isReadAnew, pairs, same, sameField } from "./align.ts";
import type { Verified } from "./engine.ts";
import { isValid } from "../fields/find-value/find-value.ts";

/** A merged item, before its checks are run again. */
export interface Merged<View> {
  data: View;
  evidence: Evidence[];
  alternatives: Alternative[];
  /** Pointers at which the engines disagree. */
  differing: string[];
  /** The new pointer of each value of the embedded engine, by its old pointer. */
  moved: Map<string, string>;
  /** Pointers to the lists that have a different length in the two results. */
  uneven: string[];
}

/**
 * From this confidence on, a valid value of the embedded engine is always preferred, because the confidence of the
 * model's value is not calibrated.
 */
const heldFrom = 0.5;

/**
 * Merges two extractions of one item. A missing value is filled in from the model if both results describe the same
 * object. If values differ, the embedded engine's value is used, unless it is invalid, or its confidence is low and
 * lower than that of the model's value.
 */
export function merge<View>(embedded: ExtractedItem<View>, model: Verified<View>): Merged<View> {
  return new Merger(embedded, model).merged();
}

/** JSON pointers to a value in the embedded result (`from`), the model's result and the merged one (`to`). */
interface Places {
  from: string;
  model: string;
  to: string;
}

const inner = ({ from, model, to }: Places, step: string | number): Places => ({
  from: `${from}/${step}`,
  model: `${model}/${step}`,
  to: `${to}/${step}`,
});

class Merger<View> {
  private readonly embedded: ExtractedItem<View>;
  private readonly model: Verified<View>;
  private readonly ours: Map<string, Evidence>;
  private readonly its: Map<string, Evidence>;
  private readonly evidence: Evidence[] = [];
  private readonly alternatives: Alternative[] = [];
  private readonly differing: string[] = [];
  private readonly moved = new Map<string, string>();
  private readonly placed = new Map<string, string>();
  private readonly uneven: string[] = [];
  /**
   * Whether agreement of the engines raises the confidence. It is false within a list that has a different length in
   * the model's result.
   */
  private agreementCounts = true;

  constructor(embedded: ExtractedItem<View>, model: Verified<View>) {
    this.embedded = embedded;
    this.model = model;
    this.ours = new Map(embedded.evidence.map((each) => [each.pointer, each]));
    this.its = new Map(model.evidence.map((each) => [each.pointer, each]));
  }

  merged(): Merged<View> {
    const data = this.both(this.embedded.data, this.model.data, { from: "", model: "", to: "" }) as View;
    const { evidence, alternatives, differing, moved, uneven } = this;
    for (const { pointer, value, reason } of this.model.dropped)
      alternatives.push({ pointer: this.placeOf(pointer), value, confidence: 0, reason });
    return { data, evidence, alternatives, differing, moved, uneven };
  }

  private both(mine: unknown, its: unknown, at: Places): unknown {
    if (its === undefined) return this.keep(mine, at);
    if (mine === undefined) return this.take(its, at);
    this.placed.set(at.model, at.to);
    if (Array.isArray(mine)) return this.lists(mine, its as unknown[], at);
    if (isFields(mine)) return this.objects(mine, its as Record<string, unknown>, at);
    return this.values(mine, its, at);
  }

  private objects(mine: Record<string, unknown>, its: Record<string, unknown>, at: Places): unknown {
    const strangers = at.to !== "" && areStrangers(mine, its);
    const names = [...new Set([...Object.keys(mine), ...Object.keys(its)])];
    const fields = names.flatMap((name) => {
      const places = inner(at, name);
      if (mine[name] === undefined && strangers) this.refuse(its[name], places);
      else if (mine[name] !== undefined && its[name] !== undefined && sameField(name, mine, its))
        return [[name, this.agreed(mine[name], places)]];
      else return [[name, this.both(mine[name], its[name], places)]];
      return [];
    });
    return Object.fromEntries(fields);
  }

  private lists(mine: unknown[], its: unknown[], at: Places): unknown[] {
    const partners = pairs(mine, its);
    const uneven = mine.length !== its.length && mine.some(isFields);
    if (uneven) this.uneven.push(at.to);
    const counted = this.agreementCounts;
    this.agreementCounts &&= !uneven;
    const items = this.placedItems(mine, its, partners, at);
    const list = items.map(([index, partner], to) => {
      const places = {
        from: `${at.from}/${index ?? -1}`,
        model: `${at.model}/${partner ?? -1}`,
        to: `${at.to}/${to}`,
      };
      if (index === undefined)
        this.differing.push(
          ...this.evidenceUnder(places.model).map(({ pointer }) => places.to + pointer.slice(places.model.length)),
        );
      return this.both(
        index === undefined ? undefined : mine[index],
        partner === undefined ? undefined : its[partner],
        places,
      );
    });
    this.agreementCounts = counted;
    return list;
  }

  /**
   * The items of the embedded engine keep their order. An item that only the model found is inserted at its position if
   * it comes from text that the embedded engine did not use.
   */
  private placedItems(
    mine: unknown[],
    its: unknown[],
    partners: Map<number, number>,
    at: Places,
  ): [number | undefined, number | undefined][] {
    const items: [number | undefined, number | undefined][] = mine.map((_, index) => [index, partners.get(index)]);
    const paired = new Set(partners.values());
    for (const [index, item] of its.entries()) {
      if (paired.has(index)) continue;
      const places = inner(at, index);
      if (isFields(item) && isReadAnew(this.evidenceUnder(places.model), this.embedded.evidence)) {
        const before = items.findLastIndex(([, partner]) => partner !== undefined && partner < index);
        items.splice(before + 1, 0, [undefined, index]);
      } else this.refuse(item, { ...places, to: at.to });
    }
    return items;
  }

  private values(mine: unknown, its: unknown, at: Places): unknown {
    if (same(mine, its)) return this.agreed(mine, at);
    this.differing.push(at.to);
    const ours = this.ours.get(at.from);
    const theirs = this.its.get(at.model);
    const field = at.to.slice(at.to.lastIndexOf("/") + 1);
    const guessed =
      (ours?.confidence ?? heldFrom) < heldFrom && (theirs?.confidence ?? 0) > (ours?.confidence ?? heldFrom);
    if (!isValid(field, mine) || guessed) {
      this.alternatives.push(alternative(at.to, mine, ours));
      return this.take(its, at);
    }
    this.alternatives.push(alternative(at.to, its, theirs));
    return this.keep(mine, at);
  }

  /**
   * Agreement of the engines removes up to half of the remaining doubt, in proportion to the confidence of the model's
   * value.
   */
  private agreed(mine: unknown, at: Places): unknown {
    this.placed.set(at.model, at.to);
    const ours = this.ours.get(at.from);
    const theirs = this.its.get(at.model);
    const kept = this.keep(mine, at);
    if (!ours || !theirs || !this.agreementCounts) return kept;
    const confidence = rounded(ours.confidence + (1 - ours.confidence) * 0.5 * theirs.confidence);
    this.evidence[this.evidence.length - 1] = { ...ours, pointer: at.to, confidence: Math.min(0.99, confidence) };
    return kept;
  }

  private keep(mine: unknown, at: Places): unknown {
    return this.copied(mine, at.from, at.to, this.ours, this.moved);
  }

  private take(its: unknown, at: Places): unknown {
    return this.copied(its, at.model, at.to, this.its, this.placed);
  }

  private copied(
    node: unknown,
    from: string,
    to: string,
    reasons: Map<string, Evidence>,
    ways: Map<string, string>,
  ): unknown {
    ways.set(from, to);
    const reason = reasons.get(from);
    if (reason) this.evidence.push({ ...reason, pointer: to });
    const step = (inside: unknown, name: string | number) =>
      this.copied(inside, `${from}/${name}`, `${to}/${name}`, reasons, ways);
    if (Array.isArray(node)) return node.map(step);
    if (!isFields(node)) return node;
    return Object.fromEntries(Object.entries(node).map(([name, inside]) => [name, step(inside, name)]));
  }

  /** Values of the model that describe another object become alternatives. */
  private refuse(its: unknown, { model, to }: Places): void {
    if (its === undefined) return;
    for (const each of this.evidenceUnder(model))
      this.alternatives.push({ pointer: to, value: each.value, confidence: each.confidence, reason: "differs" });
  }

  private evidenceUnder(pointer: string): Evidence[] {
    return this.model.evidence.filter((each) => each.pointer === pointer || each.pointer.startsWith(`${pointer}/`));
  }

  /**
   * Finds the pointer in the merged result for a value of the model. If the value itself was not merged, the pointer is
   * below that of its closest merged parent.
   */
  private placeOf(pointer: string): string {
    for (let head = pointer; head; head = head.slice(0, head.lastIndexOf("/"))) {
      const to = this.placed.get(head);
      if (to !== undefined) return to + pointer.slice(head.length);
    }
    return pointer;
  }
}

const alternative = (pointer: string, value: unknown, evidence: Evidence | undefined): Alternative => ({
  pointer,
  value,
  confidence: evidence?.confidence ?? 0,
  reason: "differs",
});

const rounded = (confidence: number) => Math.round(confidence * 1000) / 1000;
