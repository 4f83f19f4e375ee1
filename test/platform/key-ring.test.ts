import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { hasKeys, keyRing } from "../../src/platform/key-ring.ts";
import { deriveSecret, reseal, seal, sealSync, UnsealError, unseal, unsealSync } from "../../src/platform/seal.ts";
import type { Env } from "../../src/platform/env.ts";
import { learnBase64 } from "../faults/platform/base64.ts";

// Sealed secrets, while the keys that seal them are added and removed.

learnBase64();
const newKey = () => randomBytes(32).toString("base64");
const [a, b, c] = [newKey(), newKey(), newKey()];
const envOf = (SEAL_KEYS?: string, SEAL_KEY?: string) => ({ SEAL_KEYS, SEAL_KEY }) as Env;

describe("a ring of keys", () => {
  test("contains the keys of SEAL_KEYS in their order, and SEAL_KEY last", () => {
    const ids = (keys?: string, key?: string) => keyRing(envOf(keys, key)).map(({ id }) => id);
    expect(ids(`b:${b},a:${a}`)).toEqual(["b", "a"]);
    expect(ids(` 2026-11:${b}\n a_1:${a} `, c)).toEqual(["2026-11", "a_1", undefined]);
    expect(ids(undefined, c)).toEqual([undefined]);
    expect([hasKeys(envOf()), hasKeys(envOf(" ")), hasKeys(envOf(`b:${b}`)), hasKeys(envOf("", a))]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  test.each([
    ["nothing", envOf(), "SEAL_KEYS is not set"],
    ["a key without an id", envOf(a), "each key is an id"],
    ["an id with a dot", envOf(`a.b:${a}`), "each key is an id"],
    ["a short key", envOf("a:AAAA"), "The key a of SEAL_KEYS is not 32 bytes"],
    ["two keys with one id", envOf(`a:${a},a:${b}`), "two keys with the same id"],
    ["a short SEAL_KEY", envOf(undefined, "AAAA"), "SEAL_KEY is not 32 bytes"],
  ])("is refused if it is %s", (_, env, why) => {
    expect(() => keyRing(env)).toThrow(why);
  });

  test("seals with the first key and unseals with any, also secrets without a key id", async () => {
    const [old, both, later, other] = [
      envOf(undefined, a),
      envOf(`b:${b}`, a),
      envOf(`c:${c},b:${b},was:${a}`),
      envOf(`c:${c}`),
    ];
    for (const sealed of [await seal(old, "about", "secret"), sealSync(old, "about", "secret")]) {
      expect(sealed.split(".")).toHaveLength(2);
      for (const env of [old, both, later]) {
        expect(await unseal(env, "about", sealed)).toBe("secret");
        expect(unsealSync(env, "about", sealed)).toBe("secret");
        await expect(unseal(env, "another", sealed)).rejects.toThrow(UnsealError);
      }
      await expect(unseal(other, "about", sealed)).rejects.toThrow(UnsealError);
      expect(() => unsealSync(other, "about", sealed)).toThrow(UnsealError);
      expect(() => unsealSync(envOf(), "about", sealed)).toThrow(UnsealError);
    }
    expect(await seal(both, "about", "secret")).toMatch(/^b\.[^.]+\.[^.]+$/);
    expect(unsealSync(later, "about", sealSync(both, "about", "secret"))).toBe("secret");
  });

  test("reseals secrets of other keys, and leaves those that it cannot unseal", () => {
    const old = sealSync(envOf(undefined, a), "about", "secret");
    const ring = envOf(`b:${b}`, a);
    const anew = reseal(ring, "about", old);
    expect(anew).toMatch(/^b\./);
    expect(unsealSync(envOf(`b:${b}`), "about", anew)).toBe("secret");
    expect(reseal(ring, "about", anew)).toBe(anew);
    expect(reseal(envOf(undefined, a), "about", old)).toBe(old);
    expect(reseal(envOf(`c:${c}`), "about", old)).toBe(old);
  });

  test("derives the same secret after a key is added in front, and another one without the last key", () => {
    const was = deriveSecret(envOf(undefined, a), "about");
    expect(deriveSecret(envOf(`b:${b}`, a), "about")).toBe(was);
    expect(deriveSecret(envOf(`c:${c},b:${b},a:${a}`), "about")).toBe(was);
    expect(deriveSecret(envOf(`c:${c},b:${b}`), "about")).not.toBe(was);
  });
});
