/** The state of a live view after each event. */
import { beforeEach, expect, test } from "vitest";
import { Board } from "./board.ts";
import { changed, device, event, item } from "./samples.fixture.ts";

let board: Board;
beforeEach(() => {
  board = new Board();
  board.setDevices([device("lamp"), device("blind")]);
  board.take({ kind: "snapshot", sequence: 1, items: [item("lamp", 120), item("blind", 7)] }, 0);
});
const rows = () => board.rows.map(({ device, property, value, state }) => [device, property, value, state].join(" "));
const take = (received: Parameters<typeof event>, now = 5) =>
  board.take({ kind: "event", event: event(...received) }, now);

test("there is a row for each property, by the names of the devices, with units", () => {
  expect(rows()).toEqual(["blind LightColor.hue 7° online", "lamp LightColor.hue 120° online"]);
});

test("a change takes the place of the value, and is known to be new", () => {
  expect(board.take({ kind: "event", event: changed(item("lamp", 40)) }, 5)).toBe(false);
  expect(rows()[1]).toBe("lamp LightColor.hue 40° online");
  expect(board.rows.map(({ changedAt }) => changedAt)).toEqual([undefined, 5]);
});

test("a device that goes offline shows it, and a removed one takes its values along", () => {
  take(["device.offline", device("lamp", "offline")]);
  expect(rows()[1]).toBe("lamp LightColor.hue 120° offline");
  take(["device.removed", device("blind")]);
  expect(rows()).toEqual(["lamp LightColor.hue 120° offline"]);
});

test("after a hub's going or coming, a reset, or a value of an unknown device, the devices are asked for again", () => {
  expect(take(["hub.offline", {}])).toBe(true);
  expect(board.take({ kind: "reset" }, 5)).toBe(true);
  expect(board.take({ kind: "event", event: changed(item("new", 1)) }, 5)).toBe(true);
  expect(take(["device.updated", device("lamp")])).toBe(false);
});

test("of one device nothing of the others is shown", () => {
  const one = new Board("lamp");
  one.setDevices([device("lamp"), device("blind")]);
  one.take({ kind: "snapshot", sequence: 1, items: [item("lamp", 120), item("blind", 7)] }, 0);
  one.take({ kind: "event", event: changed(item("blind", 8)) }, 5);
  expect(one.rows.map(({ deviceId }) => deviceId)).toEqual(["lamp"]);
  expect(one.devices).toBe(1);
});

test("a device is called by its name, else by its alias, else by its ID, as in the portal and in alerts", () => {
  const named = device("dev_1", "online", { alias: "lamp-1", meta: { "$.name": "Stehlampe" } });
  const aliased = device("dev_2", "online", { alias: "lamp-2" });
  const bare = device("dev_3", "unknown", { alias: undefined, edgeId: "02-00-00-00-00-01" });
  board.setDevices([named, aliased, bare]);
  board.take({ kind: "snapshot", sequence: 1, items: [item("dev_1", 1), item("dev_2", 2), item("dev_3", 3)] }, 0);
  expect(board.rows.map((row) => row.device)).toEqual(["Stehlampe", "dev_3", "lamp-2"]);
  expect(board.hasUnknown).toBe(true);
});
