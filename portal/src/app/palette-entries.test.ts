import { describe, expect, it } from "vitest";
import { type Entry, found, idOf } from "./palette-entries.ts";

const entry = (name: string, about = "device", id = `dev_${name}`): Entry => ({
  icon: "device",
  name,
  about,
  id,
  to: "/",
});
const names = (entries: readonly Entry[], text: string, most = 10) =>
  found(entries, text, most).map(({ name }) => name);

describe("the search", () => {
  const all = ["desk lamp", "Lamp", "clamp", "hall-lamp", "Lampstand", "kettle"].map((name) => entry(name));

  it("has what is called exactly so first, then what begins so, then words, then the rest", () => {
    expect(names(all, " LAMP")).toEqual(["Lamp", "Lampstand", "desk lamp", "hall-lamp", "clamp"]);
  });

  it("finds by several words, of the name and of what it is", () => {
    const zones = [entry("Kitchen", "zone in Home"), entry("Kitchen", "device in Home")];
    expect(found(zones, "kitchen zone", 9)).toEqual([zones[0]]);
  });

  it("finds an action by another word for it", () => {
    const action = { ...entry("Create zone", "action"), also: "new" };
    expect(found([action, entry("new zone lamp")], "new zone", 9)).toEqual([entry("new zone lamp"), action]);
    expect(names([action], "pair a zone")).toEqual([]);
  });

  it("finds by an ID or a part of one", () => {
    const [one, other] = [entry("a", "device", "dev_01h455vb4p"), entry("b", "device", "dev_01h455vbzz")];
    expect(found([one, other], "vbzz", 9)).toEqual([other]);
    expect(found([one, other], "dev_01h455vb4p", 9)).toEqual([one]);
  });

  it("shows the first ones while nothing is typed, and never too many", () => {
    expect(names(all, "", 2)).toEqual(["desk lamp", "Lamp"]);
    expect(names(all, "lamp", 1)).toEqual(["Lamp"]);
    expect(names(all, "nothing")).toEqual([]);
  });

  it("knows a pasted ID of what has a page in an environment", () => {
    expect(idOf(" dev_01h455vb4pex5vsknk084sn02q ")).toEqual({ kind: "dev", id: "dev_01h455vb4pex5vsknk084sn02q" });
    expect(idOf("scn_01h455vb4pex5vsknk084sn02q")?.kind).toBe("scn");
    expect(idOf("dev_01h455vb4pex5vsknk084sn02")).toBeUndefined();
    expect(idOf("whk_01h455vb4pex5vsknk084sn02q")).toBeUndefined();
    expect(idOf("constructor")).toBeUndefined();
  });
});
