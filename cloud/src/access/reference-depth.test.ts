/** References of up to 20 parts against a small model of the tree: the table of A1.1.1, for all parts and all callers. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../app.fixture.ts";

/** An object as the model knows it. */
interface Node {
  readonly id: string;
  readonly kind: string;
  readonly eco: string;
  readonly env: string | undefined;
  readonly alias: string | undefined;
  /** Itself or what contains it. */
  gone: boolean;
  /** IDs of what directly contains it. */
  readonly within: readonly string[];
}

interface Reader {
  readonly name: string;
  readonly token: string;
  /** What it can name at all, living or gone. */
  readonly reach: ReadonlySet<string>;
  /** Environments that a user has an entry for; undefined: all. */
  readonly has: ReadonlySet<string> | undefined;
}

const ROUTES: Readonly<Record<string, readonly [path: string, word: string]>> = {
  eco: ["/api/ecosystems", "Ecosystem"],
  env: ["/api/environments", "Environment"],
  zon: ["/api/zones", "Zone"],
  dev: ["/api/devices", "Device"],
  cli: ["/api/clients", "Client"],
  usr: ["/api/users", "User"],
  srv: ["/api/servers", "Server"],
};
/** Kinds that a kind of token can ask for with a GET. */
const ASKS: Readonly<Record<string, readonly string[]>> = {
  account: ["eco", "env", "zon", "dev", "cli", "usr", "srv"],
  server: ["eco", "env", "zon", "dev", "cli", "usr"],
  user: ["eco", "env", "zon", "dev", "cli"],
};
const CONTAINERS = ["acc", "eco", "env", "zon"];

let cloud: TestCloud;
const nodes = new Map<string, Node>();
const readers: Reader[] = [];
/** IDs and references of the stranger: no answer distinguishes them from those that were never issued. */
let foreign: string[] = [];

beforeAll(async () => {
  cloud = await TestCloud.start();
  const home = await cloud.home();
  const stranger = await cloud.home();
  const make = async (owner: Home, path: string, body: object, more: Omit<Node, "id" | "gone" | "alias">) => {
    const { id, alias } = await cloud.good("POST", path, { token: owner.token, body });
    if (owner === home) nodes.set(id, { ...more, id, alias, gone: false });
    return id as string;
  };
  const root = { id: home.id, kind: "acc", eco: "", env: undefined, alias: undefined, gone: false, within: [] };
  nodes.set(home.id, root);
  const first = home.ecosystemId;
  nodes.set(first, { ...root, id: first, kind: "eco", eco: first, within: [home.id] });
  nodes.set(home.userId, { ...root, id: home.userId, kind: "usr", eco: first, within: [first] });
  const furnish = async (owner: Home, eco: string, env: string, word: string) => {
    const at = { eco, env };
    const inEnv = { ...at, within: [env] };
    const client = await make(
      owner,
      "/api/clients",
      { environmentId: env, alias: `hub ${word}` },
      { ...inEnv, kind: "cli", within: [env, eco] },
    );
    const device = await plant(at, client, `lamp ${word}`);
    const other = await plant(at, client, undefined);
    const zone = (name: string, items: readonly string[]) =>
      make(owner, "/api/zones", { environmentId: env, alias: `${name} ${word}`, items }, { ...inEnv, kind: "zon" });
    let inner = await zone("level 1", [device]);
    for (let level = 2; level <= 15; level++)
      inner = await zone(`level ${level}`, [inner, ...(level === 3 ? [other] : [])]);
    if (owner !== home) return [client, device, other, inner];
    const zones = [...nodes.values()].filter((node) => node.env === env && node.kind === "zon");
    for (const [level, { id }] of zones.entries()) {
      const outer = zones[level + 1];
      if (outer)
        nodes.set(id, {
          ...at,
          kind: "zon",
          gone: false,
          alias: `level ${level + 1} ${word}`,
          id,
          within: [env, outer.id],
        });
    }
    const lamp = { ...at, kind: "dev", gone: false };
    nodes.set(device, { ...lamp, id: device, alias: `lamp ${word}`, within: [env, zones[0]?.id ?? ""] });
    nodes.set(other, { ...lamp, id: other, alias: undefined, within: [env, zones[2]?.id ?? ""] });
    return [client, device, other, inner];
  };
  const environment = (eco: string, alias: string) =>
    make(home, "/api/environments", { ecosystemId: eco, alias }, { kind: "env", eco, env: undefined, within: [eco] });
  nodes.set(home.environmentId, { ...root, id: home.environmentId, kind: "env", eco: first, within: [first] });
  await cloud
    .good("POST", "/api/servers", { token: home.token, body: { alias: "server" } })
    .then(({ id }) => nodes.set(id, { ...root, id, kind: "srv", eco: first, alias: "server", within: [first] }));
  const server = await cloud.serverToken(home);
  const user = await cloud.userToken(home);
  const closed = await environment(first, "closed");
  const gone = await environment(first, "gone");
  const goneClosed = await environment(first, "gone closed");
  const second = await make(
    home,
    "/api/ecosystems",
    { alias: "second" },
    { kind: "eco", eco: "", env: undefined, within: [home.id] },
  );
  nodes.set(second, { ...root, id: second, kind: "eco", eco: second, alias: "second", within: [home.id] });
  const third = await make(
    home,
    "/api/ecosystems",
    { alias: "third" },
    { kind: "eco", eco: "", env: undefined, within: [home.id] },
  );
  nodes.set(third, { ...root, id: third, kind: "eco", eco: third, alias: "third", within: [home.id] });
  const inThird = await environment(third, "in third");
  const inSecond = await environment(second, "in second");
  for (const [env, word] of [
    [home.environmentId, "open"],
    [closed, "closed"],
    [gone, "gone"],
    [goneClosed, "gone closed"],
  ] as const)
    await furnish(home, first, env, word);
  await furnish(home, second, inSecond, "second");
  await furnish(home, third, inThird, "third");
  await cloud.good("POST", `/api/users/${home.userId}/access`, { token: home.token, body: { environmentId: gone } });
  for (const id of [gone, goneClosed]) await cloud.good("DELETE", `/api/environments/${id}`, { token: home.token });
  await cloud.good("DELETE", `/api/ecosystems/${third}`, { token: home.token });
  for (const node of nodes.values()) {
    const env = node.kind === "env" ? node.id : node.env;
    if (node.eco === third || env === gone || env === goneClosed) node.gone = true;
  }
  foreign = [stranger.id, stranger.ecosystemId, stranger.environmentId, stranger.userId];
  foreign.push(...(await furnish(stranger, stranger.ecosystemId, stranger.environmentId, "foreign")));
  const all = new Set(nodes.keys());
  // With the account, in which their ecosystem has its alias.
  const inFirst = new Set([home.id, ...[...nodes.values()].filter(({ eco }) => eco === first).map(({ id }) => id)]);
  const has = new Set([home.environmentId, gone]);
  readers.push({ name: "account", token: home.token, reach: all, has: undefined });
  readers.push({ name: "server", token: server, reach: inFirst, has: undefined });
  readers.push({ name: "user", token: user, reach: inFirst, has });
});
afterAll(() => cloud[Symbol.asyncDispose]());

let planted = 0;
async function plant(at: { eco: string; env: string }, client: string, alias: string | undefined): Promise<string> {
  const id = `dev_01h455vb4pex5vsknk084t${String(++planted).padStart(4, "0")}`;
  const place = { ecosystem_id: at.eco, environment_id: at.env, id };
  const object = { kind: "dev", alias: alias ?? null, meta: "{}", version: 1, created_at: 1, gone_at: null };
  await cloud.change((build) => build.insertInto("objects").values({ ...place, ...object }));
  const about = { type: "physical", edge_id: id, client_id: client, arrival: 1, digest: "", description: "[]" };
  const seen = { about: "{}", online: 1, online_since: 1, last_seen_at: null };
  await cloud.change((build) => build.insertInto("devices").values({ ...place, ...about, ...seen }));
  return id;
}

const isId = (text: string) => /^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text);
const prefix = (text: string) => text.slice(0, 3);

/** What the table says: the ID, or the title of the error. */
function expected(reader: Reader, kind: string, reference: string): string {
  const word = ROUTES[kind]?.[1];
  const parts = reference.split(";");
  const malformed = parts.some((part, at) => {
    if (!isId(part)) return at === 0 || part === "" || part.includes("/");
    return at === parts.length - 1 ? prefix(part) !== kind : !CONTAINERS.includes(prefix(part));
  });
  if (malformed) return `${word} Invalid`;
  let outer: Node | undefined;
  for (const [at, part] of parts.entries()) {
    const named = isId(part)
      ? nodes.get(part)
      : [...nodes.values()].find((node) => node.alias === part && !node.gone && sameScope(outer, node));
    if (!named || !reader.reach.has(named.id)) return isId(part) ? `${word} Invalid` : `${word} Not Found`;
    if (outer && !named.within.includes(outer.id)) return `${word} Not Found`;
    if (at === parts.length - 1 && named.kind !== kind) return `${word} Not Found`;
    const env = named.kind === "env" ? named.id : named.env;
    if (reader.has && env !== undefined && !reader.has.has(env)) return "Access Denied";
    if (named.gone) return `${word} Not Found`;
    outer = named;
  }
  return outer?.id ?? "";
}

/** Aliases are unique in an ecosystem, an ecosystem's own in its account. */
function sameScope(outer: Node | undefined, node: Node): boolean {
  return outer?.kind === "acc" ? node.kind === "eco" : node.kind !== "eco" && node.eco === outer?.eco;
}

const NEVER = ["acc", "eco", "env", "zon", "dev", "cli", "usr", "srv", "tok"].map(
  (kind) => `${kind}_01h455vb4pex5vsknk084sn02q`,
);

/** A part of any sort; a number picks, so that the tree may be made before its test. */
function partOf(sort: number, pick: number): string {
  const all = [...nodes.values()];
  const node = all[pick % all.length];
  switch (sort) {
    case 0:
      return foreign[pick % foreign.length] ?? "";
    case 1:
      return NEVER[pick % NEVER.length] ?? "";
    case 2:
      return ["nothing", "", "a/b", "LAMP OPEN"][pick % 4] ?? "";
    case 3:
    case 4:
      return node?.alias ?? node?.id ?? "";
    default:
      return node?.id ?? "";
  }
}

/** The way from the outermost to an object, each step by ID or alias. */
function wayTo(pick: number, turns: readonly number[]): string[] {
  const all = [...nodes.values()];
  let node = all[pick % all.length];
  const way: string[] = [];
  for (const turn of turns) {
    if (!node) break;
    way.unshift(turn % 2 === 0 || node.alias === undefined ? node.id : node.alias);
    node = nodes.get(node.within[turn % Math.max(1, node.within.length)] ?? "");
  }
  return way;
}

describe("a reference of any depth", () => {
  it("is answered as in the table for every caller, uncached and cached", async () => {
    const part = fc.tuple(fc.nat(9), fc.nat());
    const any = fc.array(part, { minLength: 1, maxLength: 20 }).map((parts) => ({ parts, way: undefined }));
    const step = fc.record({
      parts: fc.array(part, { maxLength: 1 }),
      way: fc.tuple(fc.nat(), fc.array(fc.nat(9), { minLength: 1, maxLength: 20 }), fc.nat(19)),
    });
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 1, arbitrary: any }, { weight: 4, arbitrary: step }),
        fc.nat(),
        async (made, kindPick) => {
          const spoilt = made.parts.map(([sort, pick]) => partOf(sort, pick));
          const way = made.way ? wayTo(made.way[0], made.way[1]) : [];
          if (made.way) way.splice(made.way[2] % (way.length + 1), spoilt.length, ...spoilt);
          const reference = (made.way ? way : spoilt).join(";");
          if (reference === "" || reference.includes("/")) return;
          const last = reference.split(";").at(-1) ?? "";
          const meant = isId(last) ? prefix(last) : [...nodes.values()].find(({ alias }) => alias === last)?.kind;
          for (const reader of readers) {
            const kinds = ASKS[reader.name] ?? [];
            const kind =
              meant && kinds.includes(meant) && kindPick % 4 !== 0 ? meant : (kinds[kindPick % kinds.length] ?? "eco");
            const title = expected(reader, kind, reference);
            for (let time = 0; time < 2; time++) {
              const url = `${ROUTES[kind]?.[0]}/${encodeURIComponent(reference)}`;
              const { body } = await cloud.call("GET", url, { token: reader.token });
              expect(body.title ?? body.id, `${reader.name} ${kind} ${reference}`).toBe(title);
            }
            const answer = isId(title) ? "an object" : (title.split(" ").at(-1) ?? "");
            seen.set(answer, (seen.get(answer) ?? 0) + 1);
          }
        },
      ),
      { numRuns: 400, seed: 7 },
    );
    // Each answer of the table has come, and not by chance once.
    for (const answer of ["an object", "Invalid", "Found", "Denied"])
      expect(seen.get(answer), answer).toBeGreaterThanOrEqual(10);
  });

  it("names nothing of one ecosystem through another of the same account", async () => {
    const [account] = readers;
    const find = (wanted: string) => [...nodes.values()].find(({ alias }) => alias === wanted);
    const [second, closed, hub] = [find("second"), find("closed"), find("hub open")];
    for (const [path, reference, title] of [
      ["environments", `${second?.id};${closed?.id}`, "Environment Not Found"],
      ["clients", `${second?.id};${hub?.id}`, "Client Not Found"],
      ["clients", `${second?.id};hub open`, "Client Not Found"],
    ]) {
      const url = `/api/${path}/${encodeURIComponent(reference ?? "")}`;
      expect((await cloud.call("GET", url, { token: account?.token })).body.title).toBe(title);
    }
  });

  it("goes down 15 zones to a lamp, under the account and the ecosystem", async () => {
    const [account] = readers;
    const lamp = [...nodes.values()].find(({ alias }) => alias === "lamp open");
    const zones = Array.from({ length: 15 }, (_, at) => `level ${15 - at} open`);
    const environment = lamp?.within[0];
    const eco = lamp?.eco;
    const [owner] = nodes.keys();
    const deep = [owner, eco, environment, ...zones, "lamp open"].join(";");
    expect(deep.split(";")).toHaveLength(19);
    const url = `/api/devices/${encodeURIComponent(deep)}`;
    expect((await cloud.good("GET", url, { token: account?.token ?? "" })).id).toBe(lamp?.id);
    const skipped = deep.replace(";level 7 open", "");
    const { body } = await cloud.call("GET", `/api/devices/${encodeURIComponent(skipped)}`, { token: account?.token });
    expect(body).toMatchObject({
      status: 404,
      title: "Device Not Found",
      detail: expect.stringContaining("level 6 open"),
    });
  });
});
