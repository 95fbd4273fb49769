import { doneAtOnce } from "@porchlight/driver-kit";
import { describe, expect, it } from "vitest";
import { capturedResources } from "../bridge-capture.fixture.ts";
import { ResourceSet } from "./resource.ts";

function captured() {
  const leftAside: string[] = [];
  const set = new ResourceSet((why) => leftAside.push(why));
  const take = (json: unknown) => doneAtOnce(set.take(json));
  const replace = (data: readonly unknown[]) => doneAtOnce(set.replace(data));
  replace(capturedResources());
  return { set, leftAside, take, replace };
}

const message = (type: string, ...data: unknown[]) => [{ id: "m", type, creationtime: "2026-11-25T10:00:00Z", data }];

describe("the resources of a bridge", () => {
  it("take on what has changed, field by field", () => {
    const { set, take } = captured();
    const update = { id: "light-floor", type: "light", dimming: { brightness: 20 } };
    expect(take(message("update", update))).toEqual({ updates: [update], isOther: false });
    expect(set.get("light-floor")).toMatchObject({
      ...{ on: { on: true }, dimming: { brightness: 20, min_dim_level: 0.1 } },
    });
  });

  it("come and go, and a name that changes is news of the same kind", () => {
    const { set, take } = captured();
    expect(take(message("add", { id: "new", type: "light" })).isOther).toBe(true);
    expect(set.get("new")).toEqual({ id: "new", type: "light" });
    expect(take(message("delete", { id: "new", type: "light" })).isOther).toBe(true);
    expect(set.get("new")).toBeUndefined();
    const renamed = { id: "dev-floor", type: "device", metadata: { name: "Lamp" } };
    expect(take(message("update", renamed)).isOther).toBe(true);
    expect(set.get("dev-floor")).toMatchObject({ metadata: { name: "Lamp", archetype: "unknown_archetype" } });
  });

  it("that were never reported and change are news: all is read again", () => {
    const { take } = captured();
    expect(take(message("update", { id: "unknown", type: "light" }))).toEqual({ updates: [], isOther: true });
  });

  it.each<[what: string, json: unknown, counted: readonly string[]]>([
    ["no list", { type: "update" }, ["badEvent"]],
    ["a kind that is not known", message("surprise", { id: "a", type: "light" }), ["badEvent"]],
    ["a resource without an id", message("update", { type: "light" }), ["badResource"]],
    ["text in place of a resource", message("add", "light"), ["badResource"]],
    ["a type that is none", message("delete", { id: "a", type: 7 }), ["badResource"]],
  ])("count %s, and stay as they are", (_, json, counted) => {
    const { set, leftAside, take } = captured();
    take(json);
    expect(leftAside).toEqual(counted);
    expect(set.ofType("light")).toHaveLength(6);
  });

  it("are bounded", () => {
    const { leftAside, replace } = captured();
    replace(Array.from({ length: 10_002 }, (_, at) => ({ id: `r${at}`, type: "light" })));
    expect(leftAside).toEqual(["tooManyResources", "tooManyResources"]);
  });

  it("that are read as a whole replace what was known", () => {
    const { set, replace } = captured();
    replace([{ id: "only", type: "light" }]);
    expect(set.ofType("light")).toEqual([{ id: "only", type: "light" }]);
    expect(set.get("light-floor")).toBeUndefined();
  });
});
