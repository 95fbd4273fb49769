/** How a changed scene is saved beside the changes of others. */
import { PorchlightError, type Tagged } from "@porchlight/sdk";
import type { Scene } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { draftOf, isSameDraft, type SceneSource, saveDraft } from "./use-draft.ts";

const scene: Scene = {
  ...{ id: "scn_1", ecosystemId: "eco_1", environmentId: "env_1", createdAt: "2026-11-21 12:00:00Z" },
  meta: { "$.name": "Evening", mine: 1 },
  items: [{ target: "dev_1", service: "Switch.on", value: true }],
  triggers: [],
};

/** A service in which others change something before the first saves come in. */
class Source implements SceneSource {
  readonly bodies: object[] = [];
  #now: Tagged<Scene>;

  constructor(now: Tagged<Scene>) {
    this.#now = now;
  }

  async getTagged() {
    return this.#now;
  }

  async update(_id: string, body: object, { ifMatch }: { ifMatch?: string | undefined }) {
    this.bodies.push(body);
    if (ifMatch !== this.#now.etag)
      throw new PorchlightError("Precondition Failed", "It has changed.", { status: 412 });
    return "saved";
  }
}

const draft = { ...draftOf(scene), name: " Night " };

test("only what has changed is sent, and other metadata stays as others have changed it", async () => {
  const source = new Source({ value: { ...scene, meta: { "$.name": "Evening", mine: 2 } }, etag: "b" });
  expect(await saveDraft(source, { value: scene, etag: "a" }, draft)).toBe("saved");
  expect(source.bodies.at(-1)).toEqual({ meta: { "$.name": "Night", mine: 2 } });
});

test("a concurrent change of the scene itself is not overwritten", async () => {
  const source = new Source({ value: { ...scene, items: [] }, etag: "b" });
  expect(await saveDraft(source, { value: scene, etag: "a" }, draft)).toBe("conflict");
  expect(source.bodies).toHaveLength(1);
});

test("blanks around a name are no change", () => {
  expect(isSameDraft(draftOf(scene), { ...draftOf(scene), name: " Evening" })).toBe(true);
  expect(isSameDraft(draftOf(scene), draft)).toBe(false);
});
