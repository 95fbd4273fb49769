/** A home whose parts can stand still and be killed, each a process of its own: service, hub, lamp and receiver of webhooks. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../test/parts/free-port.ts";
import { Home } from "../../../test/parts/home.ts";
import { Program } from "../../../test/parts/program.ts";

const READING_LAMP = "02-50-4C-54-00-01";

/** The published lengths: what pages may be late by counts from them. */
const LEASE = { PORCHLIGHT_LEASE_MS: "15000", PORCHLIGHT_HEARTBEAT_MS: "5000" };

const LAMP_FILE = `nodes:
  - name: reading
    edgeId: ${READING_LAMP}
    devices:
      - edgeId: ${READING_LAMP}
        kind: colour-light
        name: Reading lamp
        values:
          Switch.on: true
`;

export type PartName = "service" | "hub" | "device" | "receiver";

export class WatchedHome implements AsyncDisposable {
  readonly home: Home;
  readonly #folder: string;
  readonly #receiverPort: number;
  #lamp: Program;
  #receiver: Program;
  lampId = "";
  zoneId = "";
  webhookId = "";
  ecosystemId = "";

  private constructor(folder: string, home: Home, lamp: Program, receiver: Program, receiverPort: number) {
    this.#folder = folder;
    this.home = home;
    this.#lamp = lamp;
    this.#receiver = receiver;
    this.#receiverPort = receiverPort;
  }

  static async start(): Promise<WatchedHome> {
    const folder = mkdtempSync(join(tmpdir(), "porchlight-watched-"));
    mkdirSync(join(folder, "lines"));
    const lamp = await startLamp(folder);
    const port = await freePort();
    const receiver = await startReceiver(port);
    const env = { ...LEASE, PORCHLIGHT_WEBHOOK_ALLOW: "127.0.0.0/8" };
    const home = await Home.start({ env, serial: [lineOf(folder)] });
    const watched = new WatchedHome(folder, home, lamp, receiver, port);
    await watched.#furnish();
    return watched;
  }

  async #furnish(): Promise<void> {
    const { api, environmentId } = this.home;
    const environment = await api.good<{ ecosystemId: string }>("GET", `/api/environments/${environmentId}`);
    const { items } = await api.good<{ items: { id: string; edgeId: string }[] }>("GET", "/api/devices");
    this.ecosystemId = environment.ecosystemId;
    this.lampId = items.find(({ edgeId }) => edgeId === READING_LAMP)?.id ?? "";
    const made = async (path: string, body: object) => (await api.good<{ id: string }>("POST", path, body)).id;
    this.zoneId = await made("/api/zones", { environmentId, alias: "lounge", items: items.map(({ id }) => id) });
    const url = `http://127.0.0.1:${this.#receiverPort}/hook`;
    this.webhookId = await made("/api/webhooks", { ecosystemId: this.ecosystemId, url, events: ["property.changed"] });
  }

  #program(part: PartName): Program {
    return { service: this.home.cloud, hub: this.home.agent, device: this.#lamp, receiver: this.#receiver }[part];
  }

  stop(part: PartName): void {
    this.#program(part).signal("SIGSTOP");
  }

  cont(part: PartName): void {
    this.#program(part).signal("SIGCONT");
  }

  kill(part: PartName): Promise<void> {
    return this.#program(part).kill();
  }

  /** Starts what was killed on what it has left. */
  async again(part: PartName): Promise<void> {
    if (part === "service") await this.home.startCloud();
    else if (part === "hub") this.home.startAgent();
    else if (part === "device") this.#lamp = await startLamp(this.#folder);
    else this.#receiver = await startReceiver(this.#receiverPort);
  }

  /** How often the lamp itself has been commanded to switch. */
  async switched(): Promise<number> {
    const answer = this.#lamp.next((line) => JSON.parse(line) as { writes: { address: { service: string } }[] });
    this.#lamp.tell(`writes ${READING_LAMP}`);
    return (await answer).writes.filter(({ address }) => address.service === "Switch").length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.home[Symbol.asyncDispose]();
    await this.#lamp[Symbol.asyncDispose]();
    await this.#receiver[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const lineOf = (folder: string) => join(folder, "lines", "reading");

async function startLamp(folder: string): Promise<Program> {
  const file = join(folder, "lamp.yaml");
  writeFileSync(file, LAMP_FILE);
  const args = ["run", file, "--json", "--control", "--link", `reading=${lineOf(folder)}`];
  const program = new Program("lamp", "firmware-sim/src/main.ts", args);
  await program.line((line) => line);
  return program;
}

function startReceiver(port: number): Promise<Program> {
  const program = new Program("receiver", "portal/test/truth/receiver-program.ts", [String(port)]);
  return program.line((line) => (line.startsWith("port ") ? program : undefined));
}
