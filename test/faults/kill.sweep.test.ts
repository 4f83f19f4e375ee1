import { expect, test } from "vitest";
import { changeCarrierOrdersUnderKills } from "./carrier-orders-under-kills.ts";
import { differences, type OrderLosses } from "./carrier-order-differences.ts";
import { postOrdersUnderKills } from "./orders-under-kills.ts";

test("orders that are acknowledged before and after a kill -9 are all extracted, listed and announced once", async () => {
  const { acknowledged, notFinal, notListed, notAnnounced, announcedTwice, strangers } = await postOrdersUnderKills({
    orders: 30,
    kills: 1,
  });
  expect({ acknowledged, notFinal, notListed, notAnnounced, announcedTwice, strangers }).toEqual({
    acknowledged: 30,
    notFinal: [],
    notListed: [],
    notAnnounced: [],
    announcedTwice: [],
    strangers: [],
  });
});

const nothing: OrderLosses = { order: [], bytes: [], number: [], archive: [], events: [], sequence: [], strangers: [] };

test("carrier orders that are acknowledged before and after a kill -9 keep their acknowledged state, and their events arrive in order", async () => {
  const { acknowledged, lost, told } = await changeCarrierOrdersUnderKills({ orders: 40, kills: 2 });
  expect({ acknowledged, lost }).toEqual({ acknowledged: 40, lost: nothing });
  // Control: losses that are caused deliberately are detected.
  const { kept, found } = told;
  const [gone, cut, astray, unlisted, unheard, twice, turned, unknown] = kept.map(({ orderId }) => orderId) as [
    string,
    ...string[],
  ];
  found.objects.get(gone)!.order = {};
  found.objects.get(cut!)!.bytes = "The pap";
  found.objects.get(astray!)!.leadsTo = gone;
  found.archive.delete(unlisted!);
  found.heard
    .get(unheard!)!
    .splice(0, Infinity, ...found.heard.get(unheard!)!.filter(({ type }) => !type.endsWith("Updated")));
  found.heard.get(twice!)!.push({ id: "evt_another", type: "CarrierOrderUpdated" });
  found.heard.get(turned!)!.reverse();
  expect(differences(kept.slice(0, 7).concat(kept.slice(8)), found)).toEqual({
    order: [gone],
    bytes: [cut],
    number: [astray],
    archive: [unlisted],
    events: [unheard, twice],
    sequence: [turned],
    strangers: [unknown, unknown],
  });
});
