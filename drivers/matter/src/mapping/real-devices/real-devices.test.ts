/**
 * Devices as people have them, and what is made of each. The facts are from dumps of nodes (see the head of each file); they are kept as text
 * beside what is made of them, so that a change of the mapping is seen as a change of these files: `vitest run -u` writes them again.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { edgeIdOf, partsOf } from "../identity.ts";
import { type DeviceText, described, devicesOf } from "./device-text.fixture.ts";

const FOLDER = join(import.meta.dirname, "devices");
const FILES = readdirSync(FOLDER).filter((each) => each.endsWith(".txt"));
const textIn = (file: string) => readFileSync(join(FOLDER, file), "utf8");
const DEVICES = FILES.flatMap((file) => devicesOf(textIn(file)).devices);

test.for(FILES)("the devices of %s are described as people would", async (file) => {
  await expect(described(textIn(file))).toMatchFileSnapshot(join(FOLDER, file));
});

test("each device stands there once, and there are a hundred", () => {
  const titles = DEVICES.map((each) => each.title);
  expect(titles.filter((each, at) => titles.indexOf(each) !== at)).toEqual([]);
  expect(titles.length).toBeGreaterThanOrEqual(100);
});

test("a device that reports neither a unique ID nor a serial number is another one on each hub", () => {
  const [eve, ikea] = ["eve_thermo_v5", "ikea_bilresa_dual_button"].map(deviceFrom);
  expect(new Set(["01", "02"].map((fabric) => edgeIdIn(fabric, ikea))).size).toBe(2);
  expect(edgeIdIn("01", eve)).toBe(edgeIdIn("02", eve));
});

function deviceFrom(source: string): DeviceText | undefined {
  return DEVICES.find((each) => each.title.endsWith(`(${source})`));
}

function edgeIdIn(fabricId: string, device: DeviceText | undefined): string {
  const [part] = partsOf(device?.endpoints ?? new Map());
  if (!part) throw new Error("it has no endpoint 0");
  return edgeIdOf({ fabricId, nodeId: "1", isBridge: false, node: part.root }, part);
}
