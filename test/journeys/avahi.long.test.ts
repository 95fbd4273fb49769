/** The home network as others build it: Avahi announces devices and looks for them, in a network namespace of the test's own. */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AvahiHome } from "../parts/avahi.ts";
import { eventually } from "../parts/eventually.ts";
import { Program } from "../parts/program.ts";
import { programFile } from "../parts/program-file.ts";

const SERVICE = "_porchlight._tcp";
const LAMP = "02-50-4C-53-01-01";
const HUB = "02-50-4C-00-01-01";
const [HERE, THERE] = ["10.77.0.1", "10.77.0.9"] as const;
const PORT = 4711;

let avahi: AvahiHome;
beforeAll(async () => {
  avahi = await AvahiHome.start(HERE, THERE);
});
afterAll(() => avahi[Symbol.asyncDispose]());

/** A lamp of the network at an address, which announces itself or keeps silent. */
async function startLamp(address: string, announce: boolean): Promise<Program> {
  const file = join(avahi.folder, "lamp.yaml");
  const device = `{edgeId: ${LAMP}, kind: colour-light}`;
  writeFileSync(file, `nodes: [{edgeId: ${LAMP}, tcp: ${PORT}, announce: ${announce}, devices: [${device}]}]\n`);
  const args = ["run", file, "--interface", address];
  const program = new Program("simulator", "firmware-sim/src/main.ts", args, {}, avahi.within);
  await program.line((line) => line.startsWith(LAMP) || undefined);
  return program;
}

describe("what the simulator announces", () => {
  it("is found by avahi-browse with its address, port and TXT record, and gone after its goodbye", async () => {
    await using lamp = await startLamp(HERE, true);
    const [found = ""] = await eventually("Avahi has it", async () => {
      const all = await avahi.browse(SERVICE);
      return all.length > 0 ? all : undefined;
    });
    const [, network, protocol, , , domain, host, address, port, text] = found.split(";");
    expect([network, protocol, domain, address, port]).toEqual(["home0", "IPv4", "local", HERE, String(PORT)]);
    expect(host).toMatch(/\.local$/);
    for (const pair of ["v=1", `id=${LAMP}`, "mo=Colour light"]) expect(text).toContain(`"${pair}"`);
    expect((await lamp.stop()).code).toBe(0);
    await eventually("Avahi has forgotten it", async () => (await avahi.browse(SERVICE)).length === 0);
  });
});

describe("what avahi-publish announces", () => {
  it("is found by the hub and followed to another address; a service of another kind is refused by name", async () => {
    const data = join(avahi.folder, "agent");
    mkdirSync(data);
    writeFileSync(join(avahi.folder, "token"), "there-is-no-cloud-to-show-it-to");
    const place = ["--cloud", "http://127.0.0.1:9", "--data", data, "--token-file", join(avahi.folder, "token")];
    const args = ["run", ...place, "--edge-id", HUB, "--lan", HERE, "--lan-admit", "all"];
    await using agent = new Program("agent", "agent/src/main.ts", args, {}, avahi.within);
    const network = async () => {
      // Its exit status is that of a missing cloud.
      const asked = promisify(execFile)(process.execPath, [
        programFile("agent/src/main.ts"),
        "status",
        "--json",
        "--data",
        data,
      ]);
      const { stdout } = await asked.catch((failure: { stdout: string }) => failure);
      const [link] = JSON.parse(stdout).links ?? [];
      if (!link) throw new Error(agent.stderr);
      return link.detail as LanDetail;
    };
    const meets = (address: string) =>
      eventually(`it is met at ${address}`, async () => {
        const { nodes } = await network();
        return nodes.some(
          ({ edgeId, phase, at }) => edgeId === LAMP && phase === "live" && at === `${address}:${PORT}`,
        );
      });

    await using first = await startLamp(HERE, false);
    const silence = avahi.publish("--address", "--no-reverse", "lamp.local", HERE);
    avahi.publish("--service", "--host=lamp.local", "Lamp", SERVICE, String(PORT), "v=1", `id=${LAMP}`);
    avahi.publish("--service", "Of tomorrow", SERVICE, "4712", "v=2", `id=${LAMP}`);
    avahi.publish("--service", "Nobody", SERVICE, "4713", "v=1", "id=lamp");
    await meets(HERE);
    const { ignored } = await eventually("all announcements were received", async () => {
      const status = await network();
      return status.ignored.otherVersion && status.ignored.badId ? status : undefined;
    });
    expect(Object.keys(ignored).sort()).toEqual(["badId", "otherVersion"]);

    silence();
    await first.kill();
    await using second = await startLamp(THERE, false);
    avahi.publish("--address", "--no-reverse", "lamp.local", THERE);
    await meets(THERE);
    expect([(await agent.stop()).code, (await second.stop()).code]).toEqual([0, 0]);
  });
});

interface LanDetail {
  readonly nodes: readonly { readonly edgeId: string; readonly phase: string; readonly at?: string }[];
  readonly ignored: Readonly<Record<string, number>>;
}
