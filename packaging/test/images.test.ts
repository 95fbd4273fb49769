/**
 * The images for containers, as they are released: built once, looked at, and run with the rights that `packaging/compose.yaml` leaves them.
 * That of the agent at length only: its program is tried in `agent.test.ts`, and all else of it is made as the cloud's is.
 */
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api } from "../../test/parts/api.ts";
import { itAtLength } from "../../test/parts/at-length.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { freePort } from "../../test/parts/free-port.ts";
import type { DeviceSummary } from "../../test/parts/home.ts";
import { type Program, ROOT } from "../../test/parts/program.ts";
import { casesOf, IS_AT_LENGTH } from "../../test/parts/rounds.ts";
import { LAMP, SimulatorProgram } from "../../test/parts/simulator.ts";
import { Image } from "./image.fixture.ts";
import { type Ran, runTool } from "./tool.fixture.ts";

const VERSION: string = JSON.parse(readFileSync(join(ROOT, "cloud", "package.json"), "utf8")).version;
/** To build both takes 15 s of a processor. This limit only ends what hangs. */
const BUILD_MS = 480_000;
/** Debian's group of serial lines. */
const DIALOUT = 20;
const COMPOSE = join(ROOT, "packaging", "compose.yaml");

const folder = mkdtempSync(join(tmpdir(), "porchlight-images-"));
let cloud: Image;
let agent: Image;
beforeAll(async () => {
  const script = join(ROOT, "scripts", "package-images.mjs");
  const which = IS_AT_LENGTH ? [] : ["--only", "cloud"];
  const { status, stdout, output } = await runTool(process.execPath, [script, "--out", folder, ...which]);
  if (status !== 0) throw new Error(`the images could not be built:\n${output}`);
  const archives = stdout
    .trim()
    .split("\n")
    .map((line) => line.split(" ")[0] ?? "");
  const unpacked = archives.map((archive, at) => Image.unpack(archive, VERSION, join(folder, `image-${at}`)));
  [cloud, agent] = (await Promise.all(unpacked)) as [Image, Image];
}, BUILD_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sha256 = (content: Uint8Array) => `sha256:${createHash("sha256").update(content).digest("hex")}`;

/** What the index of an image leads to. */
function inside({ layout }: Image) {
  const blob = (digest: string) => readFileSync(join(layout, "blobs", digest.replace(":", "/")));
  const json = (content: Buffer) => JSON.parse(content.toString());
  const index = json(readFileSync(join(layout, "index.json")));
  const manifest = json(blob(index.manifests[0].digest));
  return { index, manifest, config: json(blob(manifest.config.digest)), blob };
}

const IMAGES = casesOf<readonly [string, () => Image]>([["cloud", () => cloud]], [["agent", () => agent]]);

describe.each(IMAGES)("the image of the %s", (name, image) => {
  it("is a layout in which every file has the digest and the size of its descriptor", () => {
    const { index, manifest, config, blob } = inside(image());
    const parts = [index.manifests[0], manifest.config, ...manifest.layers];
    for (const { digest, size } of parts) expect([sha256(blob(digest)), blob(digest).length]).toEqual([digest, size]);
    const contents = manifest.layers.map(({ digest }: { digest: string }) => sha256(gunzipSync(blob(digest))));
    expect(contents).toEqual(config.rootfs.diff_ids);
    expect(readdirSync(join(image().layout, "blobs", "sha256"))).toHaveLength(parts.length);
    const [forDocker] = JSON.parse(readFileSync(join(image().layout, "manifest.json"), "utf8"));
    expect(forDocker.RepoTags).toEqual([`porchlight/${name}:${VERSION}`]);
    for (const path of [forDocker.Config, ...forDocker.Layers])
      expect(statSync(join(image().layout, path)).isFile()).toBe(true);
  });

  it("states what it is, how it runs and how to ask whether it is well", () => {
    const { config } = inside(image());
    expect(config).toMatchObject({ os: "linux", config: { User: "65532:65532", Volumes: { "/data": {} } } });
    expect(config.config.Labels).toMatchObject({
      "org.opencontainers.image.title": `Porchlight ${name}`,
      "org.opencontainers.image.version": VERSION,
      "org.opencontainers.image.licenses": "Apache-2.0",
    });
    expect(config.config.Healthcheck.Test.slice(0, 2)).toEqual([
      "CMD",
      `/usr/lib/porchlight-${name}/porchlight-${name}`,
    ]);
  });

  it("has the licences of all that is in it, certificates, time zones, and nothing else that can be run", () => {
    const root = image().rootFolder;
    const notices = readFileSync(join(root, `usr/share/doc/porchlight-${name}/third-party-notices.txt`), "utf8");
    for (const named of ["Node.js", "better-sqlite3 ", "zod ", ...(name === "cloud" ? ["react ", "argon2 "] : [])])
      expect(notices).toContain(named);
    expect(readdirSync(join(root, "usr/share/doc")).sort()).toEqual(
      ["ca-certificates", "libc6", "libgcc-s1", "libstdc++6", `porchlight-${name}`, "tzdata"].sort(),
    );
    expect(readdirSync(join(root, "var/lib/dpkg/status.d"))).toHaveLength(5);
    expect(readFileSync(join(root, "etc/ssl/certs/ca-certificates.crt"), "utf8")).toContain("BEGIN CERTIFICATE");
    expect(statSync(join(root, "usr/share/zoneinfo/Europe/Berlin")).isFile()).toBe(true);
    expect(readdirSync(join(root, "usr/bin"))).toEqual([`porchlight-${name}`]);
  });
});

itAtLength("has one layer under both images", () => {
  expect(inside(cloud).manifest.layers[0]).toEqual(inside(agent).manifest.layers[0]);
});

it("is the same image for each order of its files", async () => {
  const layout: LayoutScript = await import(join(ROOT, "scripts", "images", "layout.mjs"));
  const files = [
    { path: "data", mode: 0o700, owner: 65_532 },
    { path: "usr/bin/it", link: "../lib/it" },
    { path: "usr/lib/it", content: "it", mode: 0o755 },
    { path: `usr/share/${"long/".repeat(25)}name`, content: "" },
  ];
  const archive = (entries: readonly object[]) => {
    const layers = [{ ...layout.layerOf(entries, 1_700_000_000), about: "it" }];
    const of = { name: "a/b", version: "1", architecture: "amd64", config: {}, labels: {}, layers };
    return layout.imageArchive(of, 1_700_000_000);
  };
  expect(archive(files.toReversed()).digest).toBe(archive(files).digest);
  expect(archive(files.toReversed()).content.equals(archive(files).content)).toBe(true);
  expect(archive(files.slice(1)).digest).not.toBe(archive(files).digest);
});

/** `scripts/images/layout.mjs`, plain JavaScript, so that its shape is declared here. */
interface LayoutScript {
  layerOf(entries: readonly object[], epoch: number): object;
  imageArchive(image: object, epoch: number): { readonly digest: string; readonly content: Buffer };
}

describe("a home of containers", () => {
  const at = (name: string) => join(folder, name);
  const login = { email: "owner@home.example", password: "a-long-and-quiet-password" };
  const programs: Program[] = [];
  let service: Program;
  let environmentId: string;
  let url: string;
  let port: string;
  let api: Api;
  beforeAll(async () => {
    port = String(await freePort());
    service = cloud.start("cloud", { data: at("cloud"), env: { PORCHLIGHT_PORT: port } });
    programs.push(service);
    url = await service.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]?.replace("0.0.0.0", "127.0.0.1"));
    const anonymous = new Api(url);
    ({ environmentId } = await anonymous.good<{ environmentId: string }>("POST", "/api/accounts", login));
    api = anonymous.as((await anonymous.good<{ token: string }>("POST", "/api/accounts/login", login)).token);
  });
  afterAll(() => {
    for (const program of programs) program.signal("SIGKILL");
  });

  it("has a service that is ready, and reports it to the health check", async () => {
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: "ready" });
    const ask = (its: string) => cloud.run({ args: ["health"], data: at("cloud"), env: { PORCHLIGHT_PORT: its } });
    expect(await ask(port)).toMatchObject({ status: 0, stdout: "ready\n" });
    expect(await ask("9")).toMatchObject({ status: 1, output: expect.stringContaining("does not answer") });
  });

  it("serves every file of its pages: portal, guides, reference, fonts", async () => {
    const seen = new Set<string>();
    const look = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      const answer = await fetch(new URL(path, url), { headers: { accept: "text/html" } });
      expect([path, answer.status]).toEqual([path, 200]);
      const text = await answer.text();
      const links = path.endsWith(".js") ? [] : [...text.matchAll(/(?:src|href)="(\/[^"#]*)"|url\("?(\/[^")]+)/g)];
      for (const [, link = "", asset = link] of links) if (/^\/(assets|docs\/assets)\//.test(asset)) await look(asset);
    };
    const documents = ["", "/first-hour", "/guide", "/webhooks", "/glossary", "/changelog", "/errors"];
    const contract = ["api", "tunnel", "device-protocol"].map((name) => `/contract/${name}`);
    for (const path of ["/", ...[...documents, ...contract].map((each) => `/docs${each}`)]) await look(path);
    expect([...seen].some((path) => path.endsWith(".woff2"))).toBe(true);
  });

  it("refuses a common password, by its own list", async () => {
    const common = await new Api(url).call("POST", "/api/accounts", {
      email: "b@home.example",
      password: "password1234",
    });
    expect(common).toMatchObject({ status: 400 });
  });

  itAtLength("has a hub that sets a lamp on a serial line, which its container is given", async () => {
    const client = await api.good<{ id: string }>("POST", "/api/clients", { environmentId });
    const { token } = await api.good<{ token: string }>("POST", `/api/clients/${client.id}/tokens`);
    await using simulator = await SimulatorProgram.start(at("lines"));
    // The first is the lamp's. As Debian has serial lines: those of the group may open them.
    const line = realpathSync(simulator.lines[0] ?? "");
    chownSync(line, 0, DIALOUT);
    chmodSync(line, 0o660);
    mkdirSync(at("hub"));
    writeFileSync(join(at("hub"), "token"), token, { mode: 0o600 });
    chownSync(join(at("hub"), "token"), agent.user, agent.user);
    const env = { PORCHLIGHT_CLOUD: url, PORCHLIGHT_SERIAL: "/dev/ttyLamp" };
    const hub = agent.start("hub", { data: at("hub"), env, binds: { "/dev/ttyLamp": line }, groups: [DIALOUT] });
    programs.push(hub);
    const lamp = await eventually("the lamp is online", async () => {
      const { items } = await api.good<{ items: DeviceSummary[] }>("GET", "/api/devices");
      return items.find(({ edgeId, connection }) => edgeId === LAMP && connection.state === "online");
    });
    expect(await api.call("PUT", `/api/devices/${lamp.id}/services/LightColor.hue`, { value: 77 })).toMatchObject({
      status: 200,
      body: { value: 77 },
    });
    expect(await simulator.value(LAMP, "LightColor.hue")).toBe(77);
    expect(await agent.run({ args: ["status"], data: at("hub") })).toMatchObject({ status: 0 });
    expect(await agent.stop(hub)).toMatchObject({ code: 0 });
  });

  it("has a service that stops on SIGTERM", async () => {
    expect(await cloud.stop(service)).toMatchObject({ code: 0 });
  });
});

describe("packaging/compose.yaml", () => {
  const secrets = join(folder, "secrets");
  const makeSecrets = () => runTool("sh", [join(ROOT, "packaging/compose/make-secrets.sh"), "cloud.example", secrets]);
  let made: Ran;
  beforeAll(async () => {
    made = await makeSecrets();
  });

  it("is a file that Compose accepts, of the images that are built", async () => {
    const text = readFileSync(COMPOSE, "utf8");
    // Debian's Compose is older than the key; what follows it is checked all the same.
    const older = join(folder, "compose.yaml");
    writeFileSync(older, text.replace(/^name: .*$/m, ""));
    const args = [
      "--file",
      older,
      "--project-directory",
      join(ROOT, "packaging"),
      "--profile",
      "hub",
      "config",
      "--quiet",
    ];
    expect(await runTool("docker-compose", args)).toMatchObject({ status: 0, output: "" });
    const ours = new Set([...text.matchAll(/image: (porchlight\/\S+)/g)].map(([, image]) => image));
    expect([...ours].sort()).toEqual([`porchlight/agent:${VERSION}`, `porchlight/cloud:${VERSION}`]);
  });

  it("has secrets that its programs take, each readable by its container's user", async () => {
    expect(made).toMatchObject({ status: 0, output: "" });
    expect(statSync(secrets).mode & 0o777).toBe(0o700);
    const binds = { "/run/secrets/cloud.yaml": join(secrets, "cloud.yaml") };
    mkdirSync(join(folder, "empty"), { recursive: true });
    const env = { PORCHLIGHT_CONFIG: "/run/secrets/cloud.yaml" };
    expect(await cloud.run({ args: ["check-config"], data: join(folder, "empty"), env, binds })).toMatchObject({
      stdout: "the settings are valid\n",
      status: 0,
    });
    expect(await runTool("/usr/sbin/nats-server", ["-t", "-c", join(secrets, "nats.conf")])).toMatchObject({
      status: 0,
    });
  });

  it("keeps the secrets that are there", async () => {
    const before = readFileSync(join(secrets, "cloud.yaml"), "utf8");
    expect(await makeSecrets()).toMatchObject({ status: 1, output: expect.stringContaining("has secrets already") });
    expect(readFileSync(join(secrets, "cloud.yaml"), "utf8")).toBe(before);
  });
});
