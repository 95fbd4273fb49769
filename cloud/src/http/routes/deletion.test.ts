/** What deletion means (A1.1.3): all within goes at once in every answer, tombstones stay, aliases are free, and the rows are swept later. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../app.fixture.ts";

let cloud: TestCloud;
let home: Home;
let token: string;
beforeAll(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
  token = home.token;
});
afterAll(() => cloud[Symbol.asyncDispose]());

let devices = 0;
/** A physical device with a value and a command, as if its hub had announced it. */
async function plant(at: { ecosystemId: string; environmentId: string }, client: string, alias: string | null = null) {
  const id = `dev_01h455vb4pex5vsknk084s${String(++devices).padStart(4, "0")}`;
  const place = { ecosystem_id: at.ecosystemId, environment_id: at.environmentId };
  const object = { kind: "dev", alias, meta: '{"a":1}', version: 1, created_at: 1, gone_at: null };
  await cloud.change((build) => build.insertInto("objects").values({ ...place, id, ...object }));
  const about = { type: "physical", edge_id: id, client_id: client, arrival: 1, digest: "", description: "[]" };
  const seen = { about: "{}", online: 1, online_since: 1, last_seen_at: null };
  await cloud.change((build) => build.insertInto("devices").values({ ...place, id, ...about, ...seen }));
  const value = {
    service: "Switch",
    idx: "0",
    property: "on",
    value: "true",
    number: 1,
    modified_at: 1,
    observed_at: 1,
  };
  await cloud.change((build) => build.insertInto("property_values").values({ ...place, device_id: id, ...value }));
  return id;
}

async function plantCommand(at: { ecosystemId: string; environmentId: string }, device: string): Promise<string> {
  const id = `cmd_01h455vb4pex5vsknk084s${String(++devices).padStart(4, "0")}`;
  const row = { service: "Switch", idx: "0", property: "on", value: "true", state: "confirmed", outcome: null };
  const times = { error: null, created_at: 1, expires_at: 1, completed_at: 1, token_id: null, client_id: null };
  const place = { ecosystem_id: at.ecosystemId, environment_id: at.environmentId, device_id: device };
  await cloud.change((build) => build.insertInto("commands").values({ ...place, id, ...row, ...times }));
  return id;
}

interface Full {
  readonly ecosystemId: string;
  readonly environmentId: string;
  readonly client: string;
  readonly clientToken: string;
  readonly device: string;
  readonly zone: string;
  readonly user: string;
  readonly userToken: string;
  readonly entry: string;
  readonly command: string;
}

/** An environment with one of each in it, and a user who has it. */
async function furnish(ecosystemId = home.ecosystemId): Promise<Full> {
  const post = (path: string, body: object = {}) => cloud.good("POST", path, { token, body });
  const environmentId = (await post("/api/environments", { ecosystemId, alias: `home ${++devices}` })).id;
  const client = (await post("/api/clients", { environmentId, alias: `hub ${devices}` })).id;
  const clientToken = (await post(`/api/clients/${client}/tokens`)).token;
  const at = { ecosystemId, environmentId };
  const device = await plant(at, client, `lamp ${devices}`);
  const zone = (await post("/api/zones", { environmentId, items: [device], alias: `room ${devices}` })).id;
  const user = (await post("/api/users", { key: `user ${devices}`, ecosystemId })).id;
  const entry = (await post(`/api/users/${user}/access`, { environmentId })).id;
  const userToken = (await post(`/api/users/${user}/tokens`)).token;
  const command = await plantCommand(at, device);
  return { ...at, client, clientToken, device, zone, user, userToken, entry, command };
}

const titles = async (paths: readonly string[], as = token) => {
  const found: Record<string, string> = {};
  for (const path of paths) found[path] = (await cloud.call("GET", path, { token: as })).body.title ?? "there";
  return found;
};
const insideOf = ({ environmentId, client, device, zone, command }: Full) => ({
  [`/api/environments/${environmentId}`]: "Environment Not Found",
  [`/api/clients/${client}`]: "Client Not Found",
  [`/api/clients/${environmentId};${client}`]: "Client Not Found",
  [`/api/clients/${client}/tokens`]: "Client Not Found",
  [`/api/devices/${device}`]: "Device Not Found",
  [`/api/devices/${device}/services`]: "Device Not Found",
  [`/api/devices/${device}/services/Switch.on`]: "Device Not Found",
  [`/api/devices/${zone};${device}`]: "Device Not Found",
  [`/api/environments/${environmentId}/services/Switch`]: "Environment Not Found",
  [`/api/zones/${zone}`]: "Zone Not Found",
  [`/api/commands/${command}`]: "Command Not Found",
  [`/api/devices?environmentId=${environmentId}`]: "Environment Not Found",
  [`/api/zones?environmentId=${environmentId}`]: "Environment Not Found",
  [`/api/clients?environmentId=${environmentId}`]: "Environment Not Found",
});
const swept = async (ecosystemId: string) => {
  for (;;) {
    const left = await cloud.rows((build) =>
      build.selectFrom("sweeps").select("id").where("ecosystem_id", "=", ecosystemId),
    );
    if (left.length === 0) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
};

describe("a deleted environment", () => {
  it("takes everything in it, at once and after it is swept alike, and nothing else", async () => {
    const full = await furnish();
    const other = await furnish();
    const inside = insideOf(full);
    const before = await titles(Object.keys(inside));
    expect(new Set(Object.values(before))).toEqual(new Set(["there"]));
    await cloud.good("DELETE", `/api/environments/${full.environmentId}`, { token });
    expect(await titles(Object.keys(inside))).toEqual(inside);
    await swept(full.ecosystemId);
    expect(await titles(Object.keys(inside))).toEqual(inside);
    expect(new Set(Object.values(await titles(Object.keys(insideOf(other)))))).toEqual(new Set(["there"]));
    for (const path of ["/api/environments", "/api/clients", "/api/zones", "/api/devices"]) {
      const { items } = await cloud.good("GET", path, { token });
      expect(items.length).toBeGreaterThan(0);
      for (const { id, environmentId } of items) expect([id, environmentId]).not.toContain(full.environmentId);
    }
    const { items } = await cloud.good("GET", `/api/users/${full.user}/access`, { token });
    expect(items).toEqual([]);
    const url = `/api/users/${full.user}/access/${full.entry}`;
    expect((await cloud.call("DELETE", url, { token })).body.title).toBe("Access Entry Not Found");
  });

  it("is gone for who had access to it, and denied to who had not", async () => {
    const full = await furnish();
    const stranger = await furnish();
    await cloud.good("DELETE", `/api/environments/${full.environmentId}`, { token });
    for (let time = 0; time < 2; time++) {
      const { [`/api/clients/${full.client}/tokens`]: _notForUsers, ...inside } = insideOf(full);
      expect(await titles(Object.keys(inside), full.userToken)).toEqual(inside);
      for (const title of Object.values(await titles(Object.keys(inside), stranger.userToken)))
        expect(title).toBe("Access Denied");
      await swept(full.ecosystemId);
    }
    expect((await cloud.good("GET", "/api/environments", { token: full.userToken })).items).toEqual([]);
  });

  it("gives its aliases and those of what was in it back at once", async () => {
    const full = await furnish();
    const read = async (path: string) => (await cloud.good("GET", path, { token })).alias;
    const aliases = [
      await read(`/api/environments/${full.environmentId}`),
      await read(`/api/clients/${full.client}`),
      await read(`/api/devices/${full.device}`),
      await read(`/api/zones/${full.zone}`),
    ];
    await cloud.good("DELETE", `/api/environments/${full.environmentId}`, { token });
    for (const alias of aliases) {
      const made = await cloud.good("POST", "/api/environments", { token, body: { alias } });
      expect((await cloud.good("GET", `/api/environments/${full.ecosystemId};${alias}`, { token })).id).toBe(made.id);
    }
    await swept(full.ecosystemId);
    for (const alias of aliases) expect(await read(`/api/environments/${full.ecosystemId};${alias}`)).toBe(alias);
  });

  it("gives them back before anything is swept, and so does a deleted client", async () => {
    const [one, other] = [await furnish(), await furnish()];
    const alias = async (path: string) => (await cloud.good("GET", path, { token })).alias;
    const aliases = [await alias(`/api/zones/${one.zone}`), await alias(`/api/devices/${one.device}`)];
    aliases.push(await alias(`/api/devices/${other.device}`));
    // As the deletion's own transaction leaves it, with no sweeper about.
    for (const id of [one.environmentId, other.client])
      await cloud.change((build) => build.updateTable("objects").set({ gone_at: 1, alias: null }).where("id", "=", id));
    for (const each of aliases) {
      const made = await cloud.call("POST", "/api/environments", { token, body: { alias: each } });
      expect([made.status, made.body.alias]).toEqual([201, each]);
      const url = `/api/environments/${one.ecosystemId};${each}`;
      expect((await cloud.good("GET", url, { token })).id).toBe(made.body.id);
    }
  });

  it("rejects the tokens of the clients in it", async () => {
    const full = await furnish();
    expect((await cloud.app.authenticateClient(full.clientToken)).environmentId).toBe(full.environmentId);
    await cloud.good("DELETE", `/api/environments/${full.environmentId}`, { token });
    await expect(cloud.app.authenticateClient(full.clientToken)).rejects.toMatchObject({ name: "Token Invalid" });
  });

  it("leaves one event, an audit entry, tombstones, and no rows of what was in it", async () => {
    const full = await furnish();
    await cloud.good("DELETE", `/api/environments/${full.environmentId}`, { token });
    await swept(full.ecosystemId);
    const env = full.environmentId;
    const events = await cloud.rows((build) =>
      build.selectFrom("events").select("type").where("environment_id", "=", env).orderBy("sequence"),
    );
    expect(events.map(({ type }) => type)).toEqual([
      "environment.created",
      "hub.added",
      "zone.created",
      "environment.deleted",
    ]);
    const published = await cloud.rows((build) =>
      build.selectFrom("audit_entries").select("action").where("object_id", "=", env).orderBy("id"),
    );
    expect(published.map(({ action }) => action)).toEqual(["environment.created", "environment.deleted"]);
    const objects = await cloud.rows((build) =>
      build.selectFrom("objects").select(["id", "alias", "meta", "gone_at"]).where("environment_id", "=", env),
    );
    expect(objects.map(({ id }) => id).sort()).toEqual([env, full.client, full.device, full.zone].sort());
    for (const row of objects) expect(row).toMatchObject({ alias: null, meta: "{}", gone_at: expect.any(Number) });
    for (const table of ["devices", "property_values", "clients", "zone_items"] as const) {
      const rows = await cloud.rows((build) => build.selectFrom(table).selectAll().where("environment_id", "=", env));
      expect(rows, table).toEqual([]);
    }
  });

  it("is swept by the next process when this one dies before", async () => {
    const full = await furnish();
    // As a crash right after the commit would leave it.
    const { ecosystemId: ecosystem_id, environmentId: id } = full;
    await cloud.change((build) => build.updateTable("objects").set({ gone_at: 1 }).where("id", "=", id));
    await cloud.change((build) => build.insertInto("sweeps").values({ ecosystem_id, id, kind: "env", created_at: 1 }));
    await cloud.clock.advance(60_000);
    await swept(ecosystem_id);
    const rows = await cloud.rows((build) => build.selectFrom("devices").selectAll().where("environment_id", "=", id));
    expect(rows).toEqual([]);
  });

  it("is not deleted by a user, under an old version, or twice", async () => {
    const full = await furnish();
    const url = `/api/environments/${full.environmentId}`;
    expect((await cloud.call("DELETE", url, { token: full.userToken })).body.title).toBe("Token Type Not Allowed");
    const old = await cloud.call("DELETE", url, { token, headers: { "if-match": '"0"' } });
    expect(old.body.title).toBe("Precondition Failed");
    const gone = await cloud.call("DELETE", url, { token });
    expect([gone.status, gone.text]).toEqual([200, ""]);
    expect((await cloud.call("DELETE", url, { token })).body.title).toBe("Environment Not Found");
    expect((await cloud.call("PUT", url, { token, body: { alias: "x" } })).body.title).toBe("Environment Not Found");
  });
});

describe("a deleted client", () => {
  it("takes the physical devices that live on it, and leaves the others", async () => {
    const full = await furnish();
    const { id: other } = await cloud.good("POST", "/api/clients", {
      token,
      body: { environmentId: full.environmentId },
    });
    const stays = await plant(full, other);
    await cloud.good("PUT", `/api/zones/${full.zone}`, { token, body: { items: [full.device, stays] } });
    await cloud.good("DELETE", `/api/clients/${full.client}`, { token });
    const tag = async () => (await cloud.call("GET", `/api/zones/${full.zone}`, { token })).headers.etag;
    const before = await tag();
    for (let time = 0; time < 2; time++) {
      expect(
        await titles([`/api/devices/${full.device}`, `/api/devices/${stays}`, `/api/clients/${full.client}`]),
      ).toEqual({
        [`/api/devices/${full.device}`]: "Device Not Found",
        [`/api/devices/${stays}`]: "there",
        [`/api/clients/${full.client}`]: "Client Not Found",
      });
      expect((await cloud.good("GET", `/api/zones/${full.zone}`, { token })).items).toEqual([stays]);
      expect(await tag()).toBe(before);
      await swept(full.ecosystemId);
    }
    const rows = await cloud.rows((build) =>
      build.selectFrom("objects").select("gone_at").where("id", "=", full.device),
    );
    expect(rows).toEqual([{ gone_at: expect.any(Number) }]);
  });
});

describe("an ecosystem", () => {
  const make = async (body: object = {}) => cloud.call("POST", "/api/ecosystems", { token, body });

  it("is made, shown, listed and changed by its account", async () => {
    const made = await make({ alias: "lab", meta: { a: 1 } });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ alias: "lab", meta: { a: 1 } });
    const url = String(made.headers.location);
    const shown = await cloud.call("GET", url, { token });
    expect([shown.body, shown.headers.etag]).toEqual([made.body, made.headers.etag]);
    expect((await cloud.good("GET", `/api/ecosystems/${home.id};lab`, { token })).id).toBe(made.body.id);
    const put = await cloud.call("PUT", url, { token, body: { ...made.body, alias: "lab 2" } });
    expect([put.status, put.text]).toEqual([200, ""]);
    expect(put.headers.etag).not.toBe(made.headers.etag);
    expect((await cloud.call("PUT", url, { token, headers: { "if-match": '"1"' }, body: {} })).status).toBe(412);
    expect((await cloud.call("GET", `/api/ecosystems/${home.id};lab`, { token })).body.title).toBe(
      "Ecosystem Not Found",
    );
    const { items } = await cloud.good("GET", "/api/ecosystems", { token });
    expect(items.map(({ id }: { id: string }) => id)).toEqual([home.ecosystemId, made.body.id]);
    await cloud.good("DELETE", url, { token });
  });

  it("has an alias that no other of the account has, and that another account's may have", async () => {
    const one = await make({ alias: "mine" });
    expect((await make({ alias: "mine" })).body).toMatchObject({ status: 400, title: "Alias Exists" });
    const url = `/api/ecosystems/${home.ecosystemId}`;
    expect((await cloud.call("PUT", url, { token, body: { alias: "mine" } })).body.title).toBe("Alias Exists");
    const stranger = await cloud.home();
    const theirs = { token: stranger.token, body: { alias: "mine" } };
    expect((await cloud.call("POST", "/api/ecosystems", theirs)).status).toBe(201);
    const both = await Promise.all([make({ alias: "at once" }), make({ alias: "at once" })]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
    for (const { body } of [one, ...both])
      if (body.id) await cloud.good("DELETE", `/api/ecosystems/${body.id}`, { token });
    const again = await make({ alias: "mine" });
    expect(again.status).toBe(201);
    await cloud.good("DELETE", `/api/ecosystems/${again.body.id}`, { token });
  });

  it("is for its account alone to make, change and delete", async () => {
    const server = await cloud.serverToken(home);
    const user = await cloud.userToken(home);
    const url = `/api/ecosystems/${home.ecosystemId}`;
    for (const as of [server, user]) {
      expect((await cloud.call("GET", url, { token: as })).status).toBe(200);
      expect((await cloud.call("POST", "/api/ecosystems", { token: as, body: {} })).body.title).toBe(
        "Token Type Not Allowed",
      );
      for (const method of ["PUT", "DELETE"] as const)
        expect((await cloud.call(method, url, { token: as, body: {} })).body.title).toBe("Token Type Not Allowed");
    }
  });

  it("takes everything in it: objects, tokens, entries, commands", async () => {
    const { body: eco } = await make();
    const full = await furnish(eco.id);
    const { id: server } = await cloud.good("POST", "/api/servers", { token, body: { ecosystemId: eco.id } });
    const tokens = await cloud.good("GET", `/api/servers/${server}/tokens`, { token });
    const serverToken = tokens.items[0].token;
    await cloud.good("DELETE", `/api/ecosystems/${eco.id}`, { token });
    const inside = {
      ...insideOf(full),
      [`/api/ecosystems/${eco.id}`]: "Ecosystem Not Found",
      [`/api/users/${full.user}`]: "User Not Found",
      [`/api/users/${full.user}/access`]: "User Not Found",
      [`/api/servers/${server}`]: "Server Not Found",
      [`/api/environments?ecosystemId=${eco.id}`]: "Ecosystem Not Found",
    };
    for (let time = 0; time < 2; time++) {
      expect(await titles(Object.keys(inside))).toEqual(inside);
      for (const as of [serverToken, full.userToken])
        expect((await cloud.call("GET", "/api/token", { token: as })).body.title).toBe("Token Invalid");
      await expect(cloud.app.authenticateClient(full.clientToken)).rejects.toMatchObject({ name: "Token Invalid" });
      await swept(eco.id);
    }
    // The account may leave the ecosystem out again, now that there is one.
    expect((await cloud.call("POST", "/api/environments", { token, body: {} })).status).toBe(201);
  });

  it("is not deleted while it is the last", async () => {
    const url = `/api/ecosystems/${home.ecosystemId}`;
    expect((await cloud.call("DELETE", url, { token })).body).toMatchObject({
      status: 400,
      title: "Last Ecosystem Required",
    });
    const { body: second } = await make();
    const gone = await Promise.all([
      cloud.call("DELETE", url, { token }),
      cloud.call("DELETE", `/api/ecosystems/${second.id}`, { token }),
    ]);
    expect(gone.map(({ status }) => status).sort()).toEqual([200, 400]);
    const { items } = await cloud.good("GET", "/api/ecosystems", { token });
    expect(items).toHaveLength(1);
    // The owner of an account is a user, in the one that is left.
    const users = await cloud.good("GET", "/api/users", { token });
    expect(users.items.filter(({ key }: { key: string }) => key === home.id)).toHaveLength(1);
  });
});
