/** Imports follow the tables, and each rule is shown to catch what it forbids. */
import { expect, test } from "vitest";
import { importsOf } from "./imports-of.ts";
import { INSIDES } from "./insides.ts";
import { listModules, type Manifest, readManifests, readModules } from "./modules.ts";
import { isTest, violations } from "./rules.ts";
import { OUTSIDE, PACKAGES, RANKS } from "./table.ts";

const codebase = { files: readModules(), manifests: readManifests() };

test("every source file was seen", () => {
  const listed = listModules();
  expect(listed.length).toBeGreaterThan(50);
  expect([...codebase.files.keys()].sort()).toEqual(listed);
});

test("every import that a person sees at the beginning of a line was seen", () => {
  for (const [path, text] of codebase.files) {
    if (path.startsWith("test/architecture/")) continue;
    const plain = [...text.matchAll(/^(?:import|export|\}) .*?\bfrom "([^"]+)";$/gm)].map(([, specifier]) => specifier);
    const read = importsOf(text).map(({ specifier }) => specifier);
    expect(read, path).toEqual(expect.arrayContaining(plain));
  }
});

test("every import follows the tables", () => {
  expect(violations(codebase)).toEqual([]);
});

test("every row states its reason, and every package and module stands in one row only", () => {
  const rows = [...PACKAGES, ...OUTSIDE, ...Object.values(RANKS).flat(), ...Object.values(INSIDES).flat()];
  for (const { why } of rows) expect(why.length).toBeGreaterThan(20);
  const names = [
    ...PACKAGES.map((row) => row.package),
    ...Object.entries(RANKS).flatMap(([folder, ranks]) =>
      ranks.flatMap(({ modules }) => modules.map((module) => `${folder}/${module}`)),
    ),
  ];
  expect(new Set(names).size).toBe(names.length);
});

test("test code is distinguished from production code by its place or name", () => {
  expect(
    [
      "test/world/line.ts",
      "bench/frame.ts",
      "console/test/console.ts",
      "drivers/hue/test/a.ts",
      "cloud/src/store/store.test.ts",
      "cloud/src/store/store.suite.ts",
    ].every(isTest),
  ).toBe(true);
  expect(["cloud/src/store/store.ts", "firmware-sim/src/conformance/test.ts", "cloud/src/test/a.ts"].some(isTest)).toBe(
    false,
  );
});

const SHARED = "@porchlight/shared";
const KIT = "@porchlight/driver-kit";
const manifest = (name: string, exports: readonly string[] = [], own: readonly string[] = [SHARED]): Manifest => ({
  name,
  exports,
  dependencies: ["zod", "ws", ...own],
  devDependencies: ["vitest"],
});
const manifests = new Map([
  ["", manifest("porchlight")],
  ["shared", manifest("@porchlight/shared", ["./kernel", "./model", "./api", "./tunnel", "./wire", "./settings"], [])],
  ["driver-kit", manifest(KIT, [".", "./links", "./*.fixture.ts"])],
  ["drivers/porchlight", manifest("@porchlight/driver-porchlight", ["."], [SHARED, KIT])],
  ["drivers/hue", manifest("@porchlight/driver-hue", [".", "./*.fixture.ts"], [SHARED, KIT])],
  ["agent", manifest("@porchlight/agent", [".", "./*"], [SHARED, KIT, "@porchlight/driver-porchlight"])],
  ["cloud", manifest("@porchlight/cloud", [".", "./*"])],
  ["firmware-sim", manifest("@porchlight/firmware-sim", [".", "./*"])],
  ["sdk", manifest("@porchlight/sdk", ["."])],
  ["console", manifest("@porchlight/console")],
  ["portal", manifest("@porchlight/portal")],
]);

/** A codebase of empty files, but for one line in one of them. */
function judge(path: string, line: string): string[] {
  const there = [
    "cloud/src/store/store.ts",
    "cloud/src/http/routing/route.ts",
    "cloud/src/access/tokens.ts",
    "cloud/src/webhooks/delivery/send.ts",
  ];
  const more = [
    "cloud/src/store/store.test.ts",
    "driver-kit/src/contract/driver.ts",
    "driver-kit/src/network/browser.ts",
    "drivers/porchlight/src/line/line.ts",
    "drivers/porchlight/src/link-driver.ts",
    "drivers/porchlight/src/serial-driver.ts",
    "drivers/porchlight/src/device/device.ts",
    "drivers/porchlight/src/index.ts",
    "agent/src/uplink/uplink.ts",
    "agent/src/drivers/index.ts",
    "agent/src/drivers/packages/packages.ts",
    "cloud/src/store/index.ts",
    "cloud/src/devices/devices.ts",
    "cloud/src/devices/ingest/inventory.ts",
    "cloud/src/devices/relay/hub-write.ts",
    "shared/src/kernel/index.ts",
    "test/parts/api.ts",
    "bench/frame.ts",
  ];
  const files = new Map(
    [...there, ...more, "shared/src/kernel/time/clock.ts", "shared/src/model/device.ts"].map((each) => [each, ""]),
  );
  return violations({ files: files.set(path, line), manifests });
}

test.for([
  ["shared/src/kernel/time/a.ts", 'import "node:fs";', "shared/kernel may not"],
  ["shared/src/kernel/time/a.ts", 'import "zod";', "shared/kernel may not"],
  ["shared/src/kernel/time/a.ts", 'import type { D } from "../../model/device.ts";', "kernel ranks below model"],
  ["shared/src/tunnel/a.ts", 'import "ws";', "shared/tunnel may not"],
  ["cloud/src/devices/a.ts", 'import "@porchlight/shared/wire";', "cloud may not"],
  ["cloud/src/devices/a.ts", 'import "@porchlight/agent";', "cloud/package.json does not declare it"],
  ["cloud/src/devices/a.ts", 'import "@porchlight/shared";', "its package does not export this"],
  ["cloud/src/devices/a.ts", 'import "@porchlight/shared/kernel/clock.ts";', "its package does not export this"],
  [
    "cloud/src/devices/a.ts",
    'import "../../../shared/src/kernel/time/clock.ts";',
    "another package is imported by its name",
  ],
  ["cloud/src/devices/a.ts", 'import "../http/routing/route.ts";', "devices ranks below http"],
  ["cloud/src/streams/a.ts", 'import "../webhooks/delivery/send.ts";', "modules of one rank do not import each other"],
  ["cloud/src/store/a.ts", 'export * from "../access/tokens.ts";', "store ranks below access"],
  ["cloud/src/http/a.ts", 'await import("../store/store.test.ts");', "production code never imports test code"],
  ["cloud/src/http/a.ts", 'import "../../../test/parts/api.ts";', "production code never imports test code"],
  ["test/world/a.ts", 'import "../../bench/frame.ts";', "only benchmarks import benchmarks"],
  ["cloud/src/http/a.ts", 'import "../store/gone.ts";', "there is no such file"],
  ["cloud/src/http/a.ts", 'import "left-pad";', "cloud/package.json does not declare it"],
  ["cloud/src/http/a.ts", 'import "vitest";', "cloud/package.json does not declare it"],
  ["cloud/src/http/a.ts", "await import(name);", "worked out at run time"],
  ["cloud/src/http/a.test.ts", 'import "left-pad";', "no manifest declares it"],
  ["cloud/src/utils/a.ts", "", "belongs to no module"],
  ["cloud/src/helper.ts", "", "belongs to no module"],
  ["agent/src/drivers/child/a.ts", 'import "../../uplink/uplink.ts";', "drivers ranks below uplink"],
  ["agent/src/drivers/child/a.ts", 'import "../packages/packages.ts";', "child ranks below packages"],
  ["driver-kit/src/host/a.ts", 'import "@porchlight/agent";', "driver-kit/package.json does not declare it"],
  [
    "driver-kit/src/host/a.ts",
    'import "@porchlight/driver-porchlight";',
    "driver-kit/package.json does not declare it",
  ],
  ["driver-kit/src/host/a.ts", 'import type { S } from "../network/browser.ts";', "host ranks below network"],
  ["driver-kit/src/host/a.ts", 'import "@porchlight/shared/tunnel";', "driver-kit may not"],
  ["drivers/hue/src/a.ts", 'import "@porchlight/driver-porchlight";', "drivers/hue/package.json does not declare it"],
  ["drivers/hue/src/a.ts", 'import "../../porchlight/src/index.ts";', "another package is imported by its name"],
  ["drivers/hue/src/a.ts", 'import "@porchlight/driver-kit/contract/driver.ts";', "its package does not export this"],
  ["drivers/hue/src/a.ts", 'import "@porchlight/driver-kit/host/fake-host.fixture.ts";', "never imports test code"],
  ["agent/src/drivers/a.ts", 'import "@porchlight/driver-hue";', "agent/package.json does not declare it"],
  ["drivers/porchlight/src/exchange/a.ts", 'import "../device/device.ts";', "exchange ranks below device"],
  ["agent/src/publish/a.ts", 'import "../uplink/uplink.ts";', "one rank do not import each other"],
  ["drivers/porchlight/src/line/a.ts", 'import "../link-driver.ts";', "line ranks below ."],
  ["drivers/porchlight/src/others/a.ts", "", "belongs to no module"],
  ["cloud/src/webhooks/delivery/a.ts", 'import "../../devices/devices.ts";', "through its index.ts"],
  ["agent/src/agent.ts", 'import "./uplink/uplink.ts";', "through its index.ts"],
  ["cloud/src/devices/commands/a.ts", 'import "../relay/hub-write.ts";', "commands ranks below relay"],
  ["cloud/src/devices/relay/a.ts", 'import "../ingest/inventory.ts";', "relay ranks below ingest"],
  ["cloud/src/devices/others/a.ts", "", "belongs to no module"],
  ["agent/src/commands/a.ts", 'import "@porchlight/firmware-sim";', "agent/package.json does not declare it"],
  [
    "firmware-sim/src/simulator/devices/a.ts",
    'import "@porchlight/driver-kit";',
    "firmware-sim/package.json does not declare it",
  ],
  ["firmware-sim/src/simulator/devices/a.ts", 'import "@porchlight/shared/tunnel";', "firmware-sim may not"],
  ["sdk/src/index.ts", 'import "@porchlight/shared/tunnel";', "sdk may not"],
  ["console/src/main.ts", 'import "@porchlight/cloud";', "console/package.json does not declare it"],
  ["portal/src/main.tsx", 'import { CATALOGUE } from "@porchlight/shared/model";', "only types may come from there"],
] as const)("%s with `%s` is refused: %s", ([path, line, why]) => {
  expect(judge(path, line).join("\n")).toContain(why);
});

test.for([
  [
    "cloud/src/http/a.ts",
    'import "../store/index.ts"; import "@porchlight/shared/tunnel"; import "zod"; import "node:http";',
  ],
  ["cloud/src/http/a.test.ts", 'import "../../../test/parts/api.ts"; import "@porchlight/agent"; import "vitest";'],
  ["cloud/src/http/a.ts", 'import manifest from "../../package.json" with { type: "json" };'],
  [
    "agent/src/uplink/a.ts",
    'import "../drivers/index.ts"; import "@porchlight/driver-kit"; import "@porchlight/shared/wire";',
  ],
  ["shared/src/model/a.ts", 'import "../kernel/index.ts"; import "zod";'],
  ["drivers/porchlight/src/device/a.ts", 'import "../line/line.ts"; import "@porchlight/driver-kit/links";'],
  ["drivers/hue/src/a.test.ts", 'import "@porchlight/driver-kit/host/fake-host.fixture.ts";'],
  ["test/world/a.ts", 'import "@porchlight/agent"; import "@porchlight/cloud/http/routing/route.ts";'],
] as const)("%s with `%s` is allowed", ([path, line]) => {
  expect(judge(path, line)).toEqual([]);
});

test("two files that import each other are refused, over a third one too", () => {
  const ring = new Map([
    ["cloud/src/store/a.ts", 'import "./b.ts";'],
    ["cloud/src/store/b.ts", 'import type { C } from "./c.ts";'],
    ["cloud/src/store/c.ts", 'export * from "./a.ts";'],
  ]);
  expect(violations({ files: ring, manifests })).toEqual([
    "cloud/src/store/a.ts -> cloud/src/store/b.ts -> cloud/src/store/c.ts -> cloud/src/store/a.ts: files that import each other are one file",
  ]);
});

test("packages that depend on each other are refused, over a third one too", () => {
  const ring = new Map([
    ["a", manifest("@porchlight/a", ["."], ["@porchlight/b"])],
    ["b", manifest("@porchlight/b", ["."], ["@porchlight/c", SHARED])],
    ["c", manifest("@porchlight/c", ["."], ["@porchlight/a"])],
  ]);
  expect(violations({ files: new Map(), manifests: ring })).toEqual([
    "@porchlight/a -> @porchlight/b -> @porchlight/c -> @porchlight/a: packages that depend on each other are one package",
  ]);
});
