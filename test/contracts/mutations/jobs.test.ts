/**
 * Text and numbers that clients and devices may choose, and that the border accepts: the longest, the strangest, the largest. Each goes through
 * every job that reads it (history, sinks, webhooks, alerts, mail, audit, export), on both stores: none stops, and each has exactly what was chosen.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { type Home, TestCloud } from "@porchlight/cloud/app.fixture.ts";
import { value } from "@porchlight/cloud/devices/devices.fixture.ts";
import { downloaded, startExport } from "@porchlight/cloud/exports/exports.fixture.ts";
import { unzipped } from "@porchlight/cloud/exports/zip.fixture.ts";
import { emailsTo, emailTo } from "@porchlight/cloud/mail/emails.fixture.ts";
import { freshLocation } from "@porchlight/cloud/store/fresh-store.fixture.ts";
import { newKey, ScriptedHub } from "@porchlight/cloud/tunnels/tunnels.fixture.ts";
import { Receiver } from "@porchlight/cloud/webhooks/receiver.fixture.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STORES } from "../cloud.ts";

const HUB = "00-00-00-00-00-01";
const MINUTE = 60_000;
const codes = (from: number, to: number) =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, at) => from + at));

/** So many code points of it. */
const startOf = (text: string, count: number) => [...text].slice(0, count).join("");

/** What each is, and the text. */
const TEXTS: readonly (readonly [string, string])[] = [
  ["control characters", codes(0x01, 0x1f)],
  ["C1 controls", codes(0x7f, 0x9f)],
  ["line ends of every kind", "a\r\nb\nc\rd\u2028e\u2029f\u0085g"],
  ["marks of direction", "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"],
  ["invisible characters", "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u180e"],
  ["noncharacters and the last code point", "\ufdd0\uffff\ufffe\u{1ffff}\u{10ffff}"],
  ["replacement and private characters", "\ufffd\ue000\u{f0000}\u{e0001}\u{e0041}"],
  ["emoji with joiners", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u{1f3fd}\ufe0f"],
  ["decomposed and composed letters", "e\u0301\u00e9\u1e9b\u0323\u212b\u0130\u0131\u00df"],
  ["many marks on a letter", `o${"\u0300\u0301\u0302".repeat(200)}`],
  ["escapes that are none", String.raw`\u0000\ud800\x00\\u0000 %00 %ED%A0%80 &#0; \0`],
  ["SQL", `'; drop table events; -- "a" \`b\` $1 $$ ? :p %s %% _`],
  ["markup", `</script><script>alert(1)</script><!--]]>&amp;"'`],
  ["formulas", `=1+1\t@a+b-c,"d;e"`],
  ["line protocol", `a,b=c d="e" f\\ g\\,h i=1i 1700000000000000000`],
  ["mail headers", "a\r\nBcc: b@example.com\r\n\r\n.\r\n=?utf-8?q?=00?="],
  ["keys of objects", "__proto__ constructor toString"],
];
const LONG = "\u{1f511}".repeat(3_900);
const NUMBERS = [
  ...[Number.MAX_VALUE, -Number.MAX_VALUE, Number.MAX_VALUE, 2 ** 53, -(2 ** 53), 1e-323, -1e-323],
  ...[2.2250738585072014e-308, 0.1 + 0.2, 1e21, -1e-7, 123456789012345.67, 1, 0],
];
const SERVICES = [
  {
    ...{ service: "Extreme", index: "0" },
    properties: [
      { property: "text", type: "string", access: ["read", "write", "notify"] },
      { property: "number", type: "number", access: ["read", "write", "notify"] },
    ],
  },
];
const TEXT = { device: HUB, service: "Extreme", index: "0", property: "text" };
const NUMBER = { ...TEXT, property: "number" };

describe.each(STORES)("on %s, what clients and devices choose", (store) => {
  let cloud: TestCloud;
  let home: Home;
  let webhooks: Receiver;
  let sink: Awaited<ReturnType<typeof lineReceiver>>;
  let deviceId: string;
  /** Zones by their text. */
  const zones = new Map<string, string>();
  const chosen = [...TEXTS.map(([, text]) => text), LONG];

  const get = (path: string) => cloud.good("GET", path, { token: home.token });
  const make = (path: string, body: object) => cloud.good("POST", path, { token: home.token, body });
  /** Virtual time goes on until it is so. */
  const until = (what: string, isSo: () => Promise<boolean> | boolean, stepMs = 1_000) =>
    expect
      .poll(
        async () => {
          await cloud.clock.advance(stepMs);
          return isSo();
        },
        { message: what, interval: 1 },
      )
      .toBe(true);
  async function all(path: string): Promise<readonly Row[]> {
    const items: Row[] = [];
    for (let token = ""; ; ) {
      const next =
        token === "" ? "" : `${path.includes("?") ? "&" : "?"}continuationToken=${encodeURIComponent(token)}`;
      const page = await get(`${path}${next}`);
      items.push(...page.items);
      if (page.continuationToken === undefined) return items;
      token = page.continuationToken;
    }
  }

  beforeAll(async () => {
    cloud = await TestCloud.start({ webhookAllow: ["127.0.0.0/8"] }, await freshLocation(store === "PostgreSQL"));
    home = await cloud.home();
    const { environmentId, ecosystemId, token, email } = home;
    const { code } = await emailTo(cloud.folder, email);
    await cloud.good("POST", "/api/accounts/verify", { body: { code } });
    webhooks = await Receiver.start();
    sink = await lineReceiver();
    for (const [kind, text] of TEXTS)
      await make("/api/webhooks", {
        url: webhooks.url,
        events: ["zone.*", "property.*", "alert.*"],
        description: startOf(text, 200),
      }).catch((error: unknown) => {
        throw new Error(`a webhook with ${kind}`, { cause: error });
      });
    await cloud.good("PUT", `/api/ecosystems/${ecosystemId}/sink`, { token, body: { url: sink.url } });
    for (const text of chosen) {
      const meta = { "$.name": text, [startOf(text, 200)]: text, inside: { [startOf(text, 100)]: [text] }, NUMBERS };
      zones.set(text, (await make("/api/zones", { environmentId, meta })).id);
      await make("/api/users", { key: startOf(text, 60), meta });
    }

    const client = await make("/api/clients", { environmentId, meta: { "$.name": startOf(chosen.join(""), 2_000) } });
    const { token: clientToken } = await cloud.good("POST", `/api/clients/${client.id}/tokens`, { token });
    const host = { clock: cloud.clock, accept: cloud.app.acceptTunnel.bind(cloud.app) };
    const principal = await cloud.app.authenticateClient(clientToken);
    const hub = await ScriptedHub.connect(host, principal, { key: newKey() });
    const head = { edgeId: HUB, digest: "d1", arrival: 1, online: true };
    await hub.ask("inventory", { digest: "all", devices: [head] });
    await hub.ask("describe", { ...head, about: {}, part: 0, parts: 1, services: SERVICES });
    const reports = [
      ...chosen.map((text) => [text, TEXT] as const),
      ...NUMBERS.map((number) => [number, NUMBER] as const),
    ];
    for (const [at, [reported, target]] of reports.entries()) {
      const observedAt = cloud.clock.now() + at;
      expect(await hub.ask("records", { records: [value(at + 1, reported, target, observedAt)] })).toMatchObject({
        acknowledged: at + 1,
      });
    }
    const { items } = await get(`/api/devices?environmentId=${environmentId}&type=physical`);
    deviceId = items[0].id;
    // It is offline long enough for an alert.
    hub.cut();
  });
  afterAll(async () => {
    await cloud[Symbol.asyncDispose]();
    await webhooks[Symbol.asyncDispose]();
    await sink[Symbol.asyncDispose]();
  });

  it("is shown as it was chosen", async () => {
    for (const [text, id] of zones) {
      const { meta } = await get(`/api/zones/${id}`);
      expect(meta["$.name"]).toBe(text);
      expect(meta[startOf(text, 200)]).toBe(text);
      expect(meta.NUMBERS).toEqual(NUMBERS);
    }
    const users = await all("/api/users");
    expect(users.map(({ key }) => key)).toEqual(expect.arrayContaining(chosen.map((text) => startOf(text, 60))));
  });

  it("is in the history, of which every step has sums or has none", async () => {
    const path = `/api/devices/${deviceId}/services/Extreme`;
    const points = async (series: string) =>
      (await all(`${path}.${series}`)).flatMap((row) => row.points as readonly Row[]);
    const texts = async () => (await points("text/history?resolution=raw")).map((point) => point.value);
    await until("all texts are recorded", async () => (await texts()).length >= chosen.length);
    expect(await texts()).toEqual(chosen);
    const numbers = await points("number/history?resolution=raw");
    expect(numbers.map((point) => point.value)).toEqual(NUMBERS);
    // The step has its extremes; the sum of its largest numbers is none, and so there is no mean.
    await until("the step has ended", async () => (await points("number/history?resolution=5m")).length > 0, MINUTE);
    const [step] = await points("number/history?resolution=5m");
    expect(step).toMatchObject({ min: -Number.MAX_VALUE, max: Number.MAX_VALUE });
  });

  it("is sent to every webhook, signed and whole", async () => {
    const named = (text: string) =>
      webhooks.received.filter(({ event }) => event.data.meta?.["$.name"] === text).length;
    await until("each webhook has each zone", () => chosen.every((text) => named(text) === TEXTS.length));
    const values = () =>
      webhooks.received.flatMap(({ event }) => (event.type === "property.changed" ? [event.data.item.value] : []));
    const reported = [...chosen, ...NUMBERS];
    await until("each webhook has each value", () => values().length === reported.length * TEXTS.length);
    for (const one of reported)
      expect(values().filter((other) => Object.is(other, one)).length).toBe(
        TEXTS.length * reported.filter((other) => Object.is(other, one)).length,
      );
  });

  it("is written to a sink: texts and numbers that read back as they were", async () => {
    await until("the sink has every value", () => sink.fields().length >= chosen.length + NUMBERS.length);
    const written = sink.fields();
    // Control characters become spaces: some receivers end a line there.
    const shown = chosen.map((text) => text.replaceAll(/\p{Cc}/gu, " "));
    expect(written.filter((field) => typeof field === "string")).toEqual(shown);
    expect(written.filter((field) => typeof field === "number")).toEqual(NUMBERS);
    const status = await get(`/api/ecosystems/${home.ecosystemId}/sink`);
    expect(status).toMatchObject({ refusedLines: 0 });
  });

  it("is in alerts and their e-mails, with nothing that ends a line or a header of them", async () => {
    await until("the hub has an alert", async () => (await all("/api/alerts")).length > 0, MINUTE);
    const [alert] = await all("/api/alerts");
    expect(alert).toMatchObject({ kind: "hub_offline", subject: { name: startOf(chosen.join(""), 2_000) } });
    await until("the alert is mailed", () => emailsTo(cloud.folder, home.email).length > 1, MINUTE);
    const { text } = await emailTo(cloud.folder, home.email, 2);
    const [headers = ""] = text.split("\n\n");
    expect(headers).not.toMatch(/^Bcc:/m);
    expect(text.isWellFormed()).toBe(true);
  });

  it("is in the audit and in the export of the account", async () => {
    expect((await all("/api/audit?action=zone.created")).length).toBe(chosen.length);
    await startExport(cloud, home);
    await until("the export is ready", async () => (await get("/api/account/export")).state === "ready");
    const files = unzipped((await downloaded(cloud, home)).bytes);
    const exported = [...files.values()].join("\n");
    for (const text of chosen) expect(exported).toContain(JSON.stringify(text));
    for (const number of NUMBERS) expect(exported).toContain(JSON.stringify(number));
  });

  it("has made no loop set a record aside", async () => {
    const { payload } = await cloud.app.fastify.inject("/metrics");
    expect(payload).not.toMatch(/^porchlight_records_set_aside_total.* [1-9]/m);
  });
});

type Row = Readonly<Record<string, unknown>>;

const FIELD = /^\S+ \w+=("(?:[^"\\]|\\.)*"|\S+) \d+$/gm;

/** A database that takes lines, and reads the fields of all that came. */
async function lineReceiver() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    bodies.push(request.headers["content-encoding"] === "gzip" ? gunzipSync(body).toString() : body.toString());
    response.writeHead(204).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the receiver listens on no port");
  const read = (field: string) =>
    field.startsWith('"') ? field.slice(1, -1).replaceAll(/\\(["\\])/g, "$1") : Number(field);
  return {
    url: `http://127.0.0.1:${address.port}/write`,
    fields: () => bodies.flatMap((body) => [...body.matchAll(FIELD)].map(([, field = ""]) => read(field))),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
