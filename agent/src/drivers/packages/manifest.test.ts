import { expect, test } from "vitest";
import { readManifest } from "./manifest.ts";

const good = { name: "porchlight-driver-acme", version: "1.2.3", porchlight: { api: 1, entry: "./dist/driver.mjs" } };
const withOwn = (own: object) => ({ ...good, porchlight: { ...good.porchlight, ...own } });

test("a manifest says what the driver is and wants; what it leaves out is little", () => {
  expect(readManifest(JSON.stringify(good))).toEqual({
    name: "porchlight-driver-acme",
    shortName: "acme",
    version: "1.2.3",
    description: "",
    api: 1,
    entry: "dist/driver.mjs",
    memoryMb: 64,
    wants: [],
    settings: undefined,
  });
  expect(readManifest(JSON.stringify({ ...good, name: "@who/porchlight-driver-a-b" })).shortName).toBe("a-b");
});

test.for([
  ["not JSON", "its package.json is not JSON"],
  [{ ...good, name: "acme" }, "`name`"],
  [{ ...good, name: "porchlight-driver-" }, "`name`"],
  [{ ...good, name: "porchlight-driver-../x" }, "`name`"],
  [{ ...good, version: "new" }, "`version`"],
  [{ ...good, dependencies: { ws: "8" } }, "must be empty"],
  [{ ...good, optionalDependencies: { ws: "8" } }, "must be empty"],
  [{ ...good, porchlight: undefined }, "`porchlight`"],
  [withOwn({ api: 2 }), "the interface that this agent has"],
  [withOwn({ entry: "../driver.js" }), "`porchlight.entry`"],
  [withOwn({ entry: "/etc/driver.js" }), "`porchlight.entry`"],
  [withOwn({ entry: "dist/driver.node" }), "`porchlight.entry`"],
  [withOwn({ memoryMb: 257 }), "`porchlight.memoryMb`"],
  [withOwn({ wants: ["root"] }), "`porchlight.wants.0`"],
  [withOwn({ scripts: {} }), "`porchlight`"],
] as const)("%j is refused in words", ([manifest, why]) => {
  const text = typeof manifest === "string" ? manifest : JSON.stringify(manifest);
  expect(() => readManifest(text)).toThrow(why);
});
