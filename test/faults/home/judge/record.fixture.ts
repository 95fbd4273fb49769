/** Parts of records that the tests of the judge put together: a write of 7 to a lamp that has 40, and what may have become of it. */
import { type Act, type Ask, emptyRecord, type HomeRecord, type Look, type Reading, type Write } from "../record.ts";

export const LAMP = { device: "02-50-4C-00-00-01", property: "LightColor.hue" };
export const ID = "cmd_1";

export const record = (parts: Partial<HomeRecord> = {}): HomeRecord => ({
  ...emptyRecord({ nodes: 1, nodeOf: { [LAMP.device]: "lamp", other: "strip" }, first: { [LAMP.property]: 40 } }),
  ...parts,
});
export const write = (asks: Partial<Ask>[], parts: Partial<Write> = {}): Write => ({
  ...LAMP,
  api: "cloud",
  kind: asks.length > 1 ? "keyed" : "single",
  value: 7,
  waitMs: 2000,
  asks: asks.map((ask, at) => ({ to: "cloud", begin: 1000 + at * 5000, ...ask })),
  ...parts,
});
export const act = (at: number, parts: Partial<Act> = {}): Act => ({
  ...LAMP,
  at,
  value: 7,
  by: "write",
  seq: 1,
  boot: 1,
  ...parts,
});
export const look = (parts: Partial<Look> = {}): Look => ({
  id: ID,
  begin: 9000,
  end: 9010,
  status: 200,
  state: "confirmed",
  ...parts,
});
export const reading = (value: unknown, begin: number, parts: Partial<Reading> = {}): Reading => ({
  ...LAMP,
  api: "cloud",
  value,
  begin,
  end: begin + 10,
  refreshed: false,
  ...parts,
});
export const CONFIRMED: Partial<Ask> = { end: 1200, status: 200, value: 7, commandId: ID };
export const UNKNOWN: Partial<Ask> = {
  end: 3000,
  status: 504,
  title: "Hub Timeout",
  outcome: "unknown",
  commandId: ID,
};
export const NOT_APPLIED: Partial<Ask> = { ...UNKNOWN, outcome: "not_applied" };
export const FAILED = look({ state: "failed", outcome: "not_applied" });
