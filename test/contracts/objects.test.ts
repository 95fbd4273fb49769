/** What holds for every object with alias and metadata, kind by kind, through the client, on either store. */
import { type Porchlight, ref } from "@porchlight/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContractCloud, type Owner, STORES } from "./cloud.ts";

interface Kind {
  readonly name: string;
  readonly of: (porchlight: Porchlight) => Porchlight["users"] | Porchlight["zones"] | Porchlight["ecosystems"];
  readonly body: (owner: Owner, key: string) => object;
  /** Its direct container, for a reference by alias. */
  readonly container: (owner: Owner) => string;
}

// The calls of every kind are the same; their bodies differ, and each kind's is its own.
const kinds: readonly Kind[] = [
  { name: "Environment", of: (p) => p.environments as never, body: () => ({}), container: (o) => o.ecosystemId },
  {
    name: "Zone",
    of: (p) => p.zones,
    body: ({ environmentId }) => ({ environmentId }),
    container: (o) => o.environmentId,
  },
  {
    name: "Device",
    of: (p) => p.devices as never,
    body: ({ environmentId }) => ({ environmentId, services: [{ service: "Switch" }] }),
    container: (o) => o.environmentId,
  },
  { name: "User", of: (p) => p.users, body: (_, key) => ({ key }), container: (o) => o.ecosystemId },
  { name: "Server", of: (p) => p.servers as never, body: () => ({}), container: (o) => o.ecosystemId },
  {
    name: "Client",
    of: (p) => p.clients as never,
    body: ({ environmentId }) => ({ environmentId }),
    container: (o) => o.ecosystemId,
  },
];

describe.each(STORES)("on %s", (store) => {
  let cloud: ContractCloud;
  let owner: Owner;
  beforeAll(async () => {
    cloud = await ContractCloud.start(store);
    owner = await cloud.owner();
  });
  afterAll(() => cloud[Symbol.asyncDispose]());

  describe.each(kinds)("an object of the kind $name", ({ name, of, body, container }) => {
    const make = (key: string, more: object = {}) =>
      of(owner.asAccount).create({ ...body(owner, key), ...more } as never);

    it("is made, shown, listed, and found by its alias", async () => {
      const alias = `${name} one`;
      const made = await make("one", { alias, meta: { floor: 1, "$.kind": "x" } });
      const { value, etag } = await of(owner.asAccount).getTagged(made.id);
      expect(value).toMatchObject({ id: made.id, alias, meta: { floor: 1, "$.kind": "x" } });
      expect(etag).toMatch(/^"\d+"$/);
      const found = await of(owner.asAccount).get(ref(container(owner), alias));
      expect(found.id).toBe(made.id);
      expect((await of(owner.asAccount).list().all()).map(({ id }) => id)).toContain(made.id);
    });

    it("has an alias of its own", async () => {
      await make("two", { alias: `${name} two` });
      await expect(make("three", { alias: `${name} two` })).rejects.toMatchObject({
        name: "Alias Exists",
        status: 400,
      });
      await expect(make("four", { alias: "a;b" })).rejects.toMatchObject({ name: "Alias Invalid" });
    });

    it("is changed by what is read, modified and written back, and by no writer unseen", async () => {
      const { id } = await make("five", { meta: { floor: 1 } });
      const objects = of(owner.asAccount);
      const { value, etag } = await objects.getTagged(id);
      const next = await objects.update(id, { ...value, meta: { ...value.meta, floor: 2 } }, { ifMatch: etag });
      expect(next).not.toBe(etag);
      const late = objects.update(id, { meta: {} }, { ifMatch: etag });
      await expect(late).rejects.toMatchObject({ name: "Precondition Failed", status: 412 });
      expect((await objects.get(id)).meta).toEqual({ floor: 2 });
    });

    it("shows system metadata under the prefix that is asked for", async () => {
      const { id } = await make("six", { meta: { "$.kind": "x", "sys:own": 1 } });
      const read = await of(owner.asAccount).get(id, { systemMetadataPrefix: "sys:" });
      expect(read.meta).toEqual({ "sys:kind": "x" });
    });

    it("is gone when it is deleted, and its alias is free", async () => {
      const alias = `${name} gone`;
      const { id } = await make("seven", { alias });
      await of(owner.asAccount).delete(id);
      await expect(of(owner.asAccount).get(id)).rejects.toMatchObject({ name: `${name} Not Found`, status: 404 });
      await make("eight", { alias });
    });

    it("of another account is as one that never was", async () => {
      const stranger = await cloud.owner();
      const { id } = await make("nine");
      await expect(of(stranger.asAccount).get(id)).rejects.toMatchObject({ name: `${name} Invalid`, status: 400 });
    });

    it("is listed page by page in the order of its making", async () => {
      for (const key of ["a", "b", "c"]) await make(`page ${key}`);
      const all = await of(owner.asAccount).list().all();
      const paged = await of(owner.asAccount).list({}, { pageSize: 2 }).all();
      expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
      expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort());
    });
  });
});
