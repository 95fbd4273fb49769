/** Names that people give. */
import { PorchlightError } from "@porchlight/sdk";
import { expect, test } from "vitest";
import { nameNew, rename } from "./rename.ts";

class OneDevice {
  meta: Record<string, unknown> = { "$.model": "Lamp", "$.name": "Lamp 3000", floor: 1 };
  sent: Record<string, unknown>[] = [];
  failures = 0;

  async getTagged() {
    return { value: { meta: this.meta }, etag: '"1"' };
  }
  async update(_id: string, { meta }: { meta: Record<string, unknown> }) {
    if (this.failures-- > 0) throw new PorchlightError("Precondition Failed", "It has changed.", { status: 412 });
    this.sent.push(meta);
    return '"2"';
  }
}

test("stand in the metadata, of which all else stays", async () => {
  const device = new OneDevice();
  device.failures = 2;
  await rename(device, "dev_1", "Mum's lamp");
  expect(device.sent).toEqual([{ floor: 1, "$.name": "Mum's lamp" }]);
});

test("are taken away by an empty one, and the device's own is back", async () => {
  const device = new OneDevice();
  await rename(device, "dev_1", "");
  expect(device.sent).toEqual([{ floor: 1 }]);
});

test("are given up when another writer is always quicker", async () => {
  const device = new OneDevice();
  device.failures = 9;
  await expect(rename(device, "dev_1", "x")).rejects.toMatchObject({ name: "Precondition Failed" });
});

test("that are suggested for a new device never replace one that it has got meanwhile", async () => {
  const device = new OneDevice();
  await nameNew(device, "dev_1", "Lamp");
  expect(device.sent).toEqual([]);
  device.meta = { "$.model": "Lamp", floor: 1 };
  await nameNew(device, "dev_1", "Lamp");
  expect(device.sent).toEqual([{ floor: 1, "$.name": "Lamp" }]);
});
