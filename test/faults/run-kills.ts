import { build } from "../../scripts/build.mjs";
import { changeCarrierOrdersUnderKills } from "./carrier-orders-under-kills.ts";
import { postOrdersUnderKills } from "./orders-under-kills.ts";

// `npm run test:kill [orders] [kills] [documents|carriers]` checks that no acknowledged order is lost when the service
// is killed. By default it runs both checks with 200 orders and 2 kills.
await build();
const [orders = 200, kills = 2] = process.argv.slice(2, 4).map(Number);
const only = process.argv[4];
const failed: boolean[] = [];

if (only !== "carriers") {
  const survived = await postOrdersUnderKills({ orders, kills });
  console.log(JSON.stringify(survived, undefined, 2));
  const { acknowledged, notFinal, notListed, notAnnounced, announcedTwice, strangers } = survived;
  const lost = [notFinal, notListed, notAnnounced, announcedTwice, strangers].flat();
  failed.push(acknowledged !== orders || lost.length > 0);
}
if (only !== "documents") {
  const { told: _, ...survived } = await changeCarrierOrdersUnderKills({ orders, kills });
  console.log(JSON.stringify(survived, undefined, 2));
  failed.push(survived.acknowledged !== orders || Object.values(survived.lost).flat().length > 0);
}
process.exitCode = failed.includes(true) ? 1 : 0;
