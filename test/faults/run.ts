import { build } from "../../scripts/build.mjs";
import { survive } from "./survive.ts";

// npm run test:kill [orders] [kills]
await build();
const [orders = 200, kills = 2] = process.argv.slice(2).map(Number);
const survived = await survive({ orders, kills });
console.log(JSON.stringify(survived, undefined, 2));
const { acknowledged, notFinal, notListed, notAnnounced, announcedTwice, strangers } = survived;
const lost = [notFinal, notListed, notAnnounced, announcedTwice, strangers].flat();
process.exitCode = acknowledged === orders && lost.length === 0 ? 0 : 1;
