/** How a board looks at each size. */
import { parseTime } from "@porchlight/shared/kernel";
import { describe, expect, it } from "vitest";
import { type Part, textOf } from "../render/style.ts";
import { padded, widthOf } from "../render/table.ts";
import type { BoardRow } from "./board.ts";
import { type Cell, type FrameState, frame, furthestScroll } from "./frame.ts";

const NOW = parseTime("2026-11-21 20:03:07Z") ?? 0;
const row = (device: string, property: string, value: string, more: Partial<BoardRow> = {}): BoardRow => ({
  ...{ deviceId: `dev_${device}`, device, property, value, state: "online", modifiedAt: "2026-11-21 20:00:07Z" },
  ...{ changedAt: undefined, ...more },
});
const ROWS = [
  row("blind", "Cover.position", "100 %"),
  row("lamp", "LightColor.hue", "120°", { changedAt: 9000, modifiedAt: "2026-11-21 20:03:06Z" }),
  row("lamp", "Switch.on", "true"),
  row("sensor", "Temperature.celsius", "21.5 °C", { state: "unknown" }),
];
const state = (more: Partial<FrameState> = {}): FrameState => ({
  ...{ title: "home  3 devices, 4 properties", rows: ROWS, scroll: 0, monotonic: 10_000 },
  connection: { isUp: true, text: "connected" },
  showing: { now: NOW, isForPerson: true, isUnicode: true },
  ...more,
});

/** The line as it stands on the terminal. */
function textLine(cells: readonly Cell[]): string {
  return cells.reduce((text, { at, part }) => padded(text, at) + textOf(part), "").trimEnd();
}
const text = (more: Partial<FrameState>, width: number, height: number) =>
  frame(state(more), { width, height }).map(textLine);
const partAt = (wanted: string): Part | undefined =>
  frame(state(), { width: 80, height: 24 })
    .flat()
    .map(({ part }) => part)
    .find((part) => textOf(part) === wanted);

describe("a board", () => {
  it("names each device once, with how it stands, and each value with its age", () => {
    expect(text({}, 80, 8)).toEqual([
      "home  3 devices, 4 properties                                        ● connected",
      "  device  property             value                                  changed",
      "● blind   Cover.position       100 %                                  3 min ago",
      "● lamp    LightColor.hue       120°                                   now",
      "          Switch.on            true                                   3 min ago",
      "◌ sensor  Temperature.celsius  21.5 °C                                3 min ago",
      "",
      "q quits",
    ]);
  });

  it("shows a device in a state that only a newer service has as unknown", () => {
    const rows = [row("lamp", "Switch.on", "true", { state: "asleep" as BoardRow["state"] })];
    expect(text({ rows }, 80, 5)[2]).toMatch(/^◌ lamp {2,}Switch.on/);
  });

  it("gives ages away for values on a narrow terminal", () => {
    expect(text({}, 40, 7)).toEqual([
      "home  3 devices, 4 propert…  ● connected",
      "  device  property       value",
      "● blind   Cover.positi…  100 %",
      "● lamp    LightColor.h…  120°",
      "          Switch.on      true",
      "◌ sensor  Temperature.…  21.5 °C",
      "q quits",
    ]);
  });

  it("that is longer than the terminal counts the rows above and below", () => {
    expect(text({ scroll: 1 }, 80, 5).slice(2)).toEqual([
      "● lamp    LightColor.hue       120°                                   now",
      "          Switch.on            true                                   3 min ago",
      "q quits   ↑ 1 more   ↓ 1 more",
    ]);
    expect(furthestScroll(4, { width: 80, height: 5 })).toBe(2);
  });

  it("names the device again where its rows begin above the screen", () => {
    expect(text({ scroll: 2 }, 80, 5)[2]).toMatch(/^● lamp {4}Switch\.on/);
  });

  it("shows that the connection is lost, and keeps the last known values in sight", () => {
    const lines = text({ connection: { isUp: false, text: "connection lost, next try in 3 s" } }, 80, 8);
    expect(lines[0]).toMatch(/○ connection lost, next try in 3 s$/);
    expect(lines[3]).toContain("120°");
  });

  it("lets a change stand out for a moment, and dims what is only last known", () => {
    expect(partAt("120°")).toEqual({ style: "bold", text: "120°" });
    expect(partAt("true")).toBe("true");
    expect(partAt("21.5 °C")).toEqual({ style: "dim", text: "21.5 °C" });
  });

  it.each([1, 9, 20, 39, 55, 56, 200])("never writes past a width of %i", (width) => {
    const wide = [...ROWS, row("ein sehr langer Name 灯灯灯灯灯灯", "Some.property", "x".repeat(300))];
    for (const line of frame(state({ rows: wide }), { width, height: 9 }))
      for (const { at, width: cell, part } of line) {
        expect(at + cell).toBeLessThanOrEqual(Math.max(width, 20));
        expect(widthOf(textOf(part))).toBeLessThanOrEqual(Math.max(cell, 1));
      }
  });

  it("does without characters that the terminal does not have", () => {
    const showing = { now: NOW, isForPerson: true, isUnicode: false };
    const marks = text({ showing, scroll: 1 }, 80, 5).join("\n");
    expect(marks).not.toMatch(/[●○◌↑↓…]/);
  });
});
