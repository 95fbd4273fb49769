import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { asShared, attemptOf } from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addPackage, openPackage, settingsProblem } from "./driver-packages.ts";
import { type InstalledDriverDeps, installedDriver } from "./installed-driver.ts";
import { packageIn } from "./load-package.ts";
import { tarballOf } from "./tarball.fixture.ts";

const settings = {
  type: "object",
  properties: { host: { type: "string" }, password: { type: "string", minLength: 8 } },
  additionalProperties: false,
};
const manifest = {
  name: "porchlight-driver-acme",
  version: "1.0.0",
  porchlight: { api: 1, entry: "driver.js", settings },
};
const none = { all: false, edgeIds: new Set<string>() };

let data: string;
let clock: VirtualClock;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "porchlight-packages-"));
  clock = new VirtualClock();
});
afterEach(() => rmSync(data, { recursive: true }));

/** A child that ends at once. */
function deps(): InstalledDriverDeps {
  return {
    clock,
    random: seededRandom(1),
    log: silentLog,
    host: asShared(new FakeHost()),
    askClaims: async () => [],
    program: () => ({ command: "/bin/false", args: [], reads: [] }),
    env: {},
  };
}

describe("in place of a driver that cannot run", () => {
  test("status says that the settings have one that is not installed", async () => {
    await using driver = installedDriver(data, "acme", { admit: none, own: {} }, deps());
    expect(driver.problem?.()).toContain("no such package is installed");
    const attempt = attemptOf(clock, { deadline: 1000, mayTouch: () => true });
    const address = { service: "Switch", index: "0", property: "on" };
    expect(await driver.read("02-00-00-00-00-01", address, attempt)).toMatchObject({ outcome: "not_applied" });
    expect([driver.has("02-00-00-00-00-01"), driver.status?.()]).toEqual([
      false,
      { driver: "stopped", restarts: 0, failure: driver.problem?.() },
    ]);
  });

  test("status says what is wrong with the settings, and never a value of them", async () => {
    const archive = tarballOf({ path: "package.json", content: JSON.stringify(manifest) }, { path: "driver.js" });
    addPackage(data, openPackage(archive));
    const own = { host: "10.0.0.1", password: "letmein" };
    await using driver = installedDriver(data, "acme", { admit: none, own }, deps());
    expect(driver.problem?.()).toContain("`password`");
    expect(driver.problem?.()).not.toContain("letmein");
  });
});

test("a package whose process ends at once is started again ever more rarely, and status says so", async () => {
  const archive = tarballOf({ path: "package.json", content: JSON.stringify(manifest) }, { path: "driver.js" });
  addPackage(data, openPackage(archive));
  await using driver = installedDriver(data, "acme", undefined, deps());
  const statusOf = (name: string): unknown => Reflect.get(Object(driver.status?.()), name);
  // A process starts and ends in the system's time: the clock goes on only while the driver waits for its next start.
  while (Number(statusOf("restarts")) < 3) {
    if (statusOf("driver") === "failed") await clock.advance(100);
    else await setImmediate();
  }
  expect(driver.problem?.()).toMatch(/acme keeps failing: it has ended with status 1/);
});

test.for([
  [undefined, { anything: 1 }, undefined],
  [settings, {}, undefined],
  [settings, { host: "a", password: "long enough" }, undefined],
  [settings, { host: 5 }, "`host`"],
  [settings, { hots: "a" }, "hots"],
] as const)("by the schema %j the settings %j have the problem %s", ([schema, own, problem]) => {
  const found = settingsProblem(schema, own);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(problem);
});

describe("the default export of a package", () => {
  const start = (): unknown => undefined;
  const driver: object = { api: 1, start };

  test.for([
    ["of an ES module", { default: driver }],
    ["of one that was made CommonJS", { default: { default: driver } }],
    ["of a CommonJS module", driver],
  ] as const)("%s is found", ([_, module]) => {
    expect(packageIn(module)).toBe(driver);
  });

  test.for([
    [{}, "not a driver package"],
    [{ default: { start } }, "not a driver package"],
    [{ default: { api: 1 } }, "not a driver package"],
    [undefined, "not a driver package"],
    [{ default: { ...driver, api: 2 } }, "another version of the interface: 2"],
  ] as const)("%j is refused", ([module, why]) => {
    expect(() => packageIn(module)).toThrow(why);
  });
});
