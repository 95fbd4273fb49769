/** The frames on the line, as the portal and the console show them. */
import { expect, it } from "vitest";
import { frameTables } from "./why-sentences.ts";

const WRITE = {
  afterMs: 0,
  direction: "to_device",
  bytes: 4,
  hex: "c00107c0",
  says: "WRITE 7: device 0, Switch:0.on = true",
};
const LATE = { afterMs: 12.3, direction: "from_device", bytes: 300, hex: "c002", says: "WRITTEN 7: true" };
const COMMAND = { id: "cmd_1", value: true, state: "confirmed", createdAt: "2026-11-26 14:03:00Z" };

it("are listed with their direction, their time since the first, and their bytes; of a long one that there are more", () => {
  expect(frameTables({ cause: { kind: "command", command: { ...COMMAND, frames: [WRITE, LATE] } } })).toEqual([
    {
      title: "Frames of the command",
      rows: [
        { after: "0 ms", direction: "to the device", says: WRITE.says, hex: "c0 01 07 c0" },
        { after: "12 ms", direction: "from the device", says: LATE.says, hex: "c0 02 …" },
      ],
    },
  ]);
});

it.each([
  ["device", "Frames of the report"],
  ["refresh", "Frames of the reading"],
  ["local", "Frames of the command"],
])("are called by what brought the value: %s", (kind, title) => {
  expect(frameTables({ cause: { kind, frames: [WRITE] } }).map((table) => table.title)).toEqual([title]);
});

it("of the newest command stand after those of what made the value, and nothing stands for what the hub has not", () => {
  const asked = { ...COMMAND, frames: [WRITE] };
  const both = frameTables({ cause: { kind: "device", frames: [LATE] }, asked });
  expect(both.map(({ title }) => title)).toEqual(["Frames of the report", "Frames of the newest command"]);
  expect(frameTables({ cause: { kind: "command", command: COMMAND }, asked: COMMAND })).toEqual([]);
});
