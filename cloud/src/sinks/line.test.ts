/** Lines as a receiver must be able to read them: types, times, and names that were not chosen for a protocol. */
import { formatTime, parseTime } from "@porchlight/shared/api";
import { describe, expect, it } from "vitest";
import type { LoggedEvent } from "../events/index.ts";
import { changeOf, lineOf, type ValueChange } from "./line.ts";

const AT = parseTime("2026-11-05 14:03:07Z") ?? 0;

function event(item: object, over: Partial<LoggedEvent> = {}): LoggedEvent {
  const address = { deviceId: "dev_1", service: "Temperature", index: "0", property: "celsius" };
  return {
    ...{ ecosystemId: "eco_1", sequence: 42, id: "evt_1", type: "property.changed", environmentId: "env_1" },
    ...{ createdAt: AT + 250, text: "", data: JSON.stringify({ item: { ...address, ...item } }) },
    ...over,
  };
}
const change = (item: object, over: Partial<LoggedEvent> = {}): ValueChange => {
  const made = changeOf(event({ modifiedAt: formatTime(AT), ...item }, over));
  if (!made) throw new Error("no change");
  return made;
};
const line = (item: object, alias?: string, prefix = "") => lineOf(change(item), alias, prefix);
/** Without tags and time. */
const field = (item: object) => / (\w+=.*) \d+$/s.exec(line(item))?.[1];

describe("a line", () => {
  it("has the service class, the device's tags, the property, and the time in nanoseconds", () => {
    const time = String(BigInt(AT + 250) * 1_000_000n + 42n);
    expect(line({ value: 21.5 }, "hall")).toBe(
      `Temperature,device=hall,deviceId=dev_1,environmentId=env_1,index=0 celsius=21.5 ${time}`,
    );
    expect(line({ value: 21.5 }, undefined, "home_")).toBe(
      `home_Temperature,deviceId=dev_1,environmentId=env_1,index=0 celsius=21.5 ${time}`,
    );
  });

  it.each([
    [true, "celsius=T"],
    [false, "celsius=F"],
    [5, "celsius=5"],
    [-0.25, "celsius=-0.25"],
    [1e21, "celsius=1e+21"],
    ["press", 'celsius="press"'],
    ["", 'celsius=""'],
    ['say "on\\off"', String.raw`celsius="say \"on\\off\""`],
    [{ a: [1] }, String.raw`celsius="{\"a\":[1]}"`],
  ])("has the value %j as %s", (value, expected) => {
    expect(field({ value })).toBe(expected);
  });

  it("has no line break in a string: what follows one would be another line to some receivers", () => {
    expect(field({ value: "on\nDoor,deviceId=dev_2 locked=F 1\r\n" })).toBe(
      'celsius="on Door,deviceId=dev_2 locked=F 1  "',
    );
    expect(line({ value: 1 }, "a\nb\u0085c\u0000").split("\n")).toHaveLength(1);
  });

  it("has commas, spaces and equals signs of names escaped, and no backslash that could take their place", () => {
    expect(line({ value: 1, service: "My Sensor,2" }, "Anna's lamp, left=old")).toContain(
      String.raw`My\ Sensor\,2,device=Anna's\ lamp\,\ left\=old,deviceId=dev_1`,
    );
    expect(line({ value: 1 }, "C:\\")).toContain("device=C:/,deviceId=dev_1");
  });
});

describe("an event", () => {
  it("without a value, or of something else, is no line", () => {
    expect(changeOf(event({}))).toBeUndefined();
    expect(changeOf(event({ value: null }))).toBeUndefined();
    expect(changeOf(event({ value: 1 }, { type: "device.online" }))).toBeUndefined();
  });

  it("has a time within the second in which the value changed, however late it was reported", () => {
    const ms = (made: ValueChange) => Number(BigInt(made.time) / 1_000_000n);
    expect(ms(change({ value: 1 }, { createdAt: AT + 250 }))).toBe(AT + 250);
    expect(ms(change({ value: 1 }, { createdAt: AT + 60_000 }))).toBe(AT + 999);
    // A hub's clock that is ahead.
    expect(ms(change({ value: 1 }, { createdAt: AT - 5_000 }))).toBe(AT - 5_000);
    // Of unknown age.
    expect(ms(change({ value: 1, modifiedAt: undefined }, { createdAt: AT + 250 }))).toBe(AT + 250);
  });

  it("of the same second as another has another time, in the order of the log", () => {
    const at = (sequence: number, createdAt: number) => BigInt(change({ value: 1 }, { sequence, createdAt }).time);
    const times = [at(1, AT), at(2, AT), at(3, AT + 999), at(999_999, AT + 5_000)];
    for (const [place, time] of times.entries()) if (place > 0) expect(time).toBeGreaterThan(times[place - 1] ?? 0n);
    // Asked again, it is the same.
    expect(at(2, AT)).toBe(times[1]);
  });
});
