import { expect, test } from "vitest";
import { survive } from "./survive.ts";

test(
  "orders acknowledged before and after a kill -9 are all read, listed and announced once",
  { timeout: 120_000 },
  async () => {
    const { acknowledged, notFinal, notListed, notAnnounced, announcedTwice, strangers } = await survive({
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
  },
);
