import { build } from "../scripts/build.mjs";

/** Once a run: the tests meet the same bundle that `npm start` serves. */
export const setup = async () => void (await build());
