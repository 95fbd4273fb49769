/** What a new hub finds: a cloud with its owner's account, and devices on a serial line and on the network that no hub has yet. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Api } from "../../test/parts/api.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { Program } from "../../test/parts/program.ts";
import { LAMP, SimulatorProgram } from "../../test/parts/simulator.ts";

/** Others may look around on this machine's loopback at the same time: each has a lamp of its own. */
const OWN = [process.pid >> 8, process.pid].map((byte) => (byte & 255).toString(16).padStart(2, "0").toUpperCase());
const READING_LAMP = `02-50-4C-${OWN.join("-")}-11`;
const NETWORK = `
nodes:
  - name: reading
    edgeId: ${READING_LAMP}
    tcp: 0
    devices:
      - {edgeId: ${READING_LAMP}, kind: colour-light, name: Reading lamp}
`;

interface Device {
  readonly id: string;
  readonly edgeId: string;
}

export class Neighbourhood implements AsyncDisposable {
  /** Of the lamp on the serial line, and of the one on the network. */
  readonly lamps = [LAMP, READING_LAMP] as const;
  readonly #folder: string;
  readonly #stack = new AsyncDisposableStack();
  readonly simulator: SimulatorProgram;
  api = new Api("http://unset");
  environmentId = "";

  private constructor(folder: string, simulator: SimulatorProgram) {
    this.#folder = folder;
    this.#stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    this.simulator = this.#stack.use(simulator);
  }

  static async start(): Promise<Neighbourhood> {
    const folder = mkdtempSync(join(tmpdir(), "porchlight-street-"));
    const street = new Neighbourhood(folder, await SimulatorProgram.start(join(folder, "lines"), NETWORK));
    await street.#startCloud();
    return street;
  }

  /** The serial port with the lamp, which group dialout may open, as udev has it. */
  get line(): string {
    const [line = ""] = this.simulator.lines;
    const port = realpathSync(line);
    execFileSync("chgrp", ["dialout", port]);
    execFileSync("chmod", ["660", port]);
    return port;
  }

  /** Sets both lamps as soon as the hub has them, and gives the lamps' own values. */
  async setBoth(hue: number): Promise<unknown[]> {
    const values: unknown[] = [];
    for (const edgeId of this.lamps) {
      await eventually(`${edgeId} is set`, async () => {
        const { items } = await this.api.good<{ items: Device[] }>("GET", "/api/devices");
        const lamp = items.find((device) => device.edgeId === edgeId);
        if (!lamp) throw new Error("the cloud does not know it");
        return await this.api.good("PUT", `/api/devices/${lamp.id}/services/LightColor.hue`, { value: hue });
      });
      values.push(await this.simulator.value(edgeId, "LightColor.hue"));
    }
    return values;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  async #startCloud(): Promise<void> {
    const args = ["serve", "--port", "0", "--data", join(this.#folder, "cloud")];
    const cloud = this.#stack.use(new Program("cloud", "cloud/src/main.ts", args, { PORCHLIGHT_RATE_LIMIT: "off" }));
    const api = new Api(await cloud.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]));
    const owner = { email: "owner@home.example", password: "a-long-and-quiet-password" };
    const account = await api.good<{ environmentId: string }>("POST", "/api/accounts", owner);
    const { token } = await api.good<{ token: string }>("POST", "/api/accounts/login", owner);
    this.environmentId = account.environmentId;
    this.api = api.as(token);
  }
}
