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

test("every row says why, and every package and module stands in one row only", () => {
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

test("test code is told from production code by its place or name", () => {
  expect(
    ["test/world/line.ts", "bench/frame.ts", "cloud/src/store/store.test.ts", "cloud/src/store/store.suite.ts"].every(
      isTest,
    ),
  ).toBe(true);
  expect(["cloud/src/store/store.ts", "firmware-sim/src/conformance/test.ts"].some(isTest)).toBe(false);
});

const manifest = (name: string, exports: readonly string[] = []): Manifest => ({
  name,
  exports,
  dependencies: ["zod", "ws"],
  devDependencies: ["vitest"],
});
const manifests = new Map([
  ["", manifest("porchlight")],
  ["shared", manifest("@porchlight/shared", ["./kernel", "./model", "./api", "./tunnel", "./wire", "./settings"])],
  ["agent", manifest("@porchlight/agent", [".", "./*"])],
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
    "cloud/src/access/credentials/tokens.ts",
    "cloud/src/webhooks/delivery/send.ts",
  ];
  const more = [
    "cloud/src/store/store.test.ts",
    "agent/src/drivers/kit/contract/driver.ts",
    "agent/src/drivers/porchlight/line/line.ts",
    "agent/src/drivers/porchlight/link-driver.ts",
    "agent/src/drivers/serial/serial-driver.ts",
    "agent/src/drivers/lan/browser.ts",
    "agent/src/uplink/uplink.ts",
    "agent/src/drivers/kit/index.ts",
    "cloud/src/store/index.ts",
    "cloud/src/devices/devices.ts",
    "cloud/src/devices/commands/command-store.ts",
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
  ["cloud/src/devices/a.ts", 'import "@porchlight/agent";', "cloud may not"],
  ["cloud/src/devices/a.ts", 'import "@porchlight/shared";', "its package does not export this"],
  ["cloud/src/devices/a.ts", 'import "@porchlight/shared/kernel/clock.ts";', "its package does not export this"],
  [
    "cloud/src/devices/a.ts",
    'import "../../../shared/src/kernel/time/clock.ts";',
    "another package is imported by its name",
  ],
  ["cloud/src/devices/a.ts", 'import "../http/routing/route.ts";', "devices ranks below http"],
  ["cloud/src/streams/a.ts", 'import "../webhooks/delivery/send.ts";', "modules of one rank do not import each other"],
  ["cloud/src/store/a.ts", 'export * from "../access/credentials/tokens.ts";', "store ranks below access"],
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
  ["agent/src/drivers/kit/a.ts", 'import "../../uplink/uplink.ts";', "drivers ranks below uplink"],
  ["agent/src/drivers/kit/a.ts", 'import "../porchlight/line/line.ts";', "kit ranks below porchlight"],
  ["agent/src/drivers/kit/a.ts", 'import type { S } from "../serial/serial-driver.ts";', "kit ranks below serial"],
  ["agent/src/drivers/kit/a.ts", 'import "../lan/browser.ts";', "kit ranks below lan"],
  ["agent/src/drivers/porchlight/a.ts", 'import "../lan/browser.ts";', "porchlight ranks below lan"],
  ["agent/src/drivers/serial/a.ts", 'import "../lan/browser.ts";', "one rank do not import each other"],
  ["agent/src/drivers/porchlight/line/a.ts", 'import "../link-driver.ts";', "line ranks below ."],
  ["agent/src/drivers/porchlight/others/a.ts", "", "belongs to no module"],
  ["cloud/src/webhooks/delivery/a.ts", 'import "../../devices/devices.ts";', "through its index.ts"],
  ["agent/src/agent.ts", 'import "./uplink/uplink.ts";', "through its index.ts"],
  ["cloud/src/devices/values/a.ts", 'import "../commands/command-store.ts";', "values ranks below commands"],
  ["cloud/src/devices/values/a.ts", 'import "../devices.ts";', "values ranks below ."],
  ["cloud/src/devices/others/a.ts", "", "belongs to no module"],
  ["agent/src/commands/a.ts", 'import "@porchlight/firmware-sim";', "agent may not"],
  [
    "firmware-sim/src/devices/a.ts",
    'import "@porchlight/agent/drivers/kit/contract/driver.ts";',
    "firmware-sim may not",
  ],
  ["firmware-sim/src/devices/a.ts", 'import "@porchlight/shared/tunnel";', "firmware-sim may not"],
  ["sdk/src/index.ts", 'import "@porchlight/shared/tunnel";', "sdk may not"],
  ["console/src/main.ts", 'import "@porchlight/cloud";', "console may not"],
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
  ["agent/src/uplink/a.ts", 'import "../drivers/kit/index.ts"; import "@porchlight/shared/wire";'],
  ["shared/src/model/a.ts", 'import "../kernel/index.ts"; import "zod";'],
  ["agent/src/drivers/lan/a.ts", 'import "../porchlight/line/line.ts"; import "../kit/contract/driver.ts";'],
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
