import { PorchlightError } from "@porchlight/sdk";
import { describe, expect, it } from "vitest";
import type { Fields } from "./merge.ts";
import { type MetaSource, readMetaOf, saveMeta } from "./meta-save.ts";

/** One object as the service keeps it. */
class OneObject implements MetaSource {
  meta: Fields = { "$.model": "Lamp", room: "hall", floor: 1 };
  version = 1;
  /** A concurrent change by another client, right before each write. */
  others: (() => void)[] = [];

  write(meta: Fields): void {
    this.meta = meta;
    this.version += 1;
  }

  async getTagged() {
    return { value: { meta: this.meta }, etag: `"${this.version}"` };
  }

  async update(_: string, { meta }: { meta: Fields }, { ifMatch }: { ifMatch?: string | undefined }) {
    this.others.shift()?.();
    if (ifMatch !== `"${this.version}"`)
      throw new PorchlightError("Precondition Failed", "It has changed.", { status: 412 });
    this.write({ "$.model": "Lamp", ...meta });
    return `"${this.version}"`;
  }
}

const kept = ["$.model"];

describe("saving metadata", () => {
  it("writes the whole object as it was typed, and knows its new version", async () => {
    const object = new OneObject();
    const base = await readMetaOf(object, "zon_1");
    const saved = await saveMeta(object, "zon_1", { base, mine: { room: "attic" }, kept });
    expect(object.meta).toEqual({ "$.model": "Lamp", room: "attic" });
    expect(saved).toEqual({ kind: "saved", known: { meta: object.meta, etag: '"2"' }, isMerged: false });
  });

  it("keeps the concurrent writes of others, even two of them", async () => {
    const object = new OneObject();
    const base = await readMetaOf(object, "zon_1");
    object.others = [
      () => object.write({ ...object.meta, colour: "red", "$.model": "Lamp 2" }),
      () => object.write({ ...object.meta, floor: 2 }),
    ];
    const saved = await saveMeta(object, "zon_1", { base, mine: { room: "attic", floor: 1 }, kept });
    expect(saved).toMatchObject({ kind: "saved", isMerged: true });
    expect(object.meta).toEqual({ "$.model": "Lamp", room: "attic", floor: 2, colour: "red" });
  });

  it("writes nothing while both have changed one key, until the user has chosen", async () => {
    const object = new OneObject();
    const base = await readMetaOf(object, "zon_1");
    object.write({ ...object.meta, room: "cellar" });
    const change = { base, mine: { room: "attic", floor: 1 }, kept };
    const result = await saveMeta(object, "zon_1", change);
    expect(result).toMatchObject({
      kind: "conflicts",
      conflicts: [{ path: ["room"], mine: "attic", theirs: "cellar" }],
    });
    expect(object.meta.room).toBe("cellar");
    const theirs = result.kind === "conflicts" ? result.theirs : undefined;
    await saveMeta(object, "zon_1", { ...change, theirs, choose: () => "mine" });
    expect(object.meta.room).toBe("attic");
  });

  it("gives up with the service's message when another writer is always quicker", async () => {
    const object = new OneObject();
    const base = await readMetaOf(object, "zon_1");
    object.others = Array.from({ length: 9 }, () => () => object.write(object.meta));
    await expect(saveMeta(object, "zon_1", { base, mine: {}, kept })).rejects.toThrow("It has changed.");
  });
});
