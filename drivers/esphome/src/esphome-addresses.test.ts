/** Which entity a command reaches after the firmware has other entities than before, and after an update of the hub. */
import { addressIn } from "@porchlight/driver-kit/contract/address-in.fixture.ts";
import { describe, expect, test } from "vitest";
import { EspHomeHome } from "./esphome-home.fixture.ts";
import { type FakeEntity, fakeEntity } from "./fake-entity.fixture.ts";
import type { FakeEspHome } from "./fake-esphome.fixture.ts";

const HOST = "192.0.2.1";
const relay = (name: string) => fakeEntity("switch", name, { state: false });
const heat = (name: string, state: number) =>
  fakeEntity("sensor", name, { state }, { deviceClass: "temperature", unitOfMeasurement: "°C" });

/** The device restarts with other firmware. */
async function updated(home: EspHomeHome, board: FakeEspHome, entities: readonly FakeEntity[]) {
  board.entities = entities.map((each) => ({ ...each }));
  home.network.cut();
  home.network.mend();
  await home.pass(120_000);
}

/** As hubs before this version have kept the addresses of a device. */
const OLDER = {
  "switch 0 heater": 0,
  "switch 0 pump": 1,
  "sensor 0 outside": 0,
  "sensor 0 inside": 1,
};

describe("addresses that an older version has kept", () => {
  async function older(entities: readonly FakeEntity[]) {
    const home = new EspHomeHome();
    const board = home.add(HOST, entities);
    const kept = Buffer.from(JSON.stringify({ indexes: OLDER, sleeps: false }));
    home.entries.set(`device ${board.edgeId}`, kept);
    await home.start();
    return Object.assign(home, { board });
  }

  test("are those of the same entities, in any order", async () => {
    await using home = await older([heat("Inside", 21), relay("Pump"), heat("Outside", 5), relay("Heater")]);
    const now = (address: string) => home.host.valueOf(home.board.edgeId, addressIn(address));
    expect([now("Temperature:0.celsius"), now("Temperature:1.celsius")]).toEqual([5, 21]);
    await home.write(home.board, "Switch:1.on", true);
    expect(home.board.commanded).toEqual(["Pump"]);
  });

  test("are kept for entities that the device does not have at present", async () => {
    await using home = await older([relay("Aux"), relay("Heater"), heat("Attic", 30)]);
    const now = (address: string) => home.host.valueOf(home.board.edgeId, addressIn(address));
    expect(await home.write(home.board, "Switch:1.on", true)).toMatchObject({ kind: "failed" });
    await home.write(home.board, "Switch:2.on", true);
    expect([home.board.commanded, now("Temperature:2.celsius")]).toEqual([["Aux"], 30]);
    await updated(home, home.board, [relay("Aux"), relay("Pump"), heat("Inside", 21)]);
    await home.write(home.board, "Switch:1.on", true);
    expect([home.board.commanded.at(-1), now("Temperature:1.celsius")]).toEqual(["Pump", 21]);
  });

  test("are read once: a restart finds them in the form of now", async () => {
    await using home = await older([relay("Pump")]);
    const kept = JSON.parse(Buffer.from(home.entries.get(`device ${home.board.edgeId}`) ?? []).toString());
    expect(kept).toEqual({ sleeps: false });
    await home.again();
    expect(await home.write(home.board, "Switch:1.on", true)).toEqual({ kind: "value", value: true });
  });
});

test("what a firmware has no more is refused by name, its neighbours answer, and it is back at its address", async () => {
  await using home = new EspHomeHome();
  const [pump, lamp, aux] = [relay("Pump"), relay("Lamp"), relay("Aux")];
  const board = home.add(HOST, [pump, lamp]);
  await home.start();
  await updated(home, board, [aux, lamp]);
  expect(await home.write(board, "Switch:0.on", true)).toMatchObject({ kind: "failed", outcome: "not_applied" });
  expect(board.touched).toBe(0);
  await home.write(board, "Switch:1.on", true);
  await home.write(board, "Switch:2.on", true);
  expect(board.commanded).toEqual(["Lamp", "Aux"]);
  await updated(home, board, [aux, pump, lamp]);
  await home.write(board, "Switch:0.on", true);
  expect(board.commanded.at(-1)).toBe("Pump");
});
