/**
 * A cloud, simulated devices and unpaired hubs: what the journeys to a paired hub, and away from one, begin with.
 * One serves all tests of a file: each has an owner and hubs of its own.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Api } from "./api.ts";
import { eventually } from "./eventually.ts";
import { Program } from "./program.ts";
import { SimulatorProgram } from "./simulator.ts";

/** Waits in fractions of a second; the published lengths are proved on the virtual clock. */
const FAST = {
  PORCHLIGHT_RATE_LIMIT: "off",
  PORCHLIGHT_LEASE_MS: "1500",
  PORCHLIGHT_HEARTBEAT_MS: "400",
  PORCHLIGHT_OFFLINE_AFTER_MS: "500",
  PORCHLIGHT_PAIRING_INTERVAL_MS: "200",
  // Long enough for a page to look before it is there.
  PORCHLIGHT_RECORD_EVERY_MS: "2000",
  PORCHLIGHT_BACKOFF_FIRST_MS: "100",
  PORCHLIGHT_BACKOFF_CAP_MS: "1000",
};

export interface HomeDevice {
  readonly id: string;
  readonly edgeId: string;
  readonly alias?: string;
  readonly clientId?: string;
  readonly connection: { readonly state: string };
}

/** A user with an account and an environment. */
export interface Owner {
  readonly api: Api;
  readonly environmentId: string;
  readonly email: string;
  readonly password: string;
}

/** The hub's log line with the code that it shows. */
export interface LoggedCode {
  readonly code: string;
  readonly link: string;
  readonly fingerprint: string;
  readonly edgeId: string;
}

export class UnpairedHome implements AsyncDisposable {
  readonly folder: string;
  readonly simulator: SimulatorProgram;
  readonly url: string;
  readonly #stack: AsyncDisposableStack;
  #agents: Program[] = [];
  #owners = 0;

  private constructor(folder: string, simulator: SimulatorProgram, url: string, stack: AsyncDisposableStack) {
    this.folder = folder;
    this.simulator = simulator;
    this.url = url;
    this.#stack = stack;
  }

  /** @param more arguments of the cloud */
  static async start(more: readonly string[] = []): Promise<UnpairedHome> {
    await using stack = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "porchlight-unpaired-"));
    stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    const simulator = stack.use(await SimulatorProgram.start(join(folder, "lines")));
    const args = ["serve", "--port", "0", "--data", join(folder, "cloud"), ...more];
    const cloud = stack.use(new Program("cloud", "cloud/src/main.ts", args, FAST));
    const url = await cloud.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]);
    return new UnpairedHome(folder, simulator, url, stack.move());
  }

  /** A new user. */
  async owner(): Promise<Owner> {
    const api = new Api(this.url);
    const credentials = { email: `owner-${++this.#owners}@home.example`, password: "a-long-and-quiet-password" };
    const { environmentId } = await api.good<{ environmentId: string }>("POST", "/api/accounts", credentials);
    const { token } = await api.good<{ token: string }>("POST", "/api/accounts/login", credentials);
    return { api: api.as(token), environmentId, ...credentials };
  }

  /** A command of the agent on a hub's folder. @param hub its name */
  agent(hub: string, command: string, ...more: string[]): Program {
    const args = [command, "--data", join(this.folder, hub), ...more];
    const program = new Program(`${hub} ${command}`, "agent/src/main.ts", args, FAST);
    this.#agents.push(program);
    return program;
  }

  /** Ends every hub, and lets go of the lines. */
  async endHubs(): Promise<void> {
    for (const program of this.#agents.splice(0)) await program[Symbol.asyncDispose]();
  }

  /** Runs a hub on the simulated lines. */
  run(hub: string, ...more: string[]): Program {
    const serial = this.simulator.lines.flatMap((line) => ["--serial", line]);
    return this.agent(hub, "run", "--cloud", this.url, ...serial, ...more);
  }

  /** The newest code in an agent's output. */
  loggedCode(agent: Program): Promise<LoggedCode> {
    return eventually("the hub shows a code", async () => {
      const lines = agent.stderr.split("\n").filter((line) => line.includes("is waiting to be paired"));
      const { msg, ...about } = JSON.parse(lines.at(-1) ?? "");
      return { ...about, code: /enter (\S+) at/.exec(msg)?.[1] };
    });
  }

  /** Waits until all devices are online at an owner's. */
  online({ api, environmentId }: Owner, clientId?: string): Promise<HomeDevice[]> {
    return eventually("all devices are online", async () => {
      const { items } = await api.good<{ items: HomeDevice[] }>("GET", `/api/devices?environmentId=${environmentId}`);
      const online = items.filter(
        (device) => device.connection.state === "online" && (clientId ?? device.clientId) === device.clientId,
      );
      return online.length === this.simulator.devices.length ? online : undefined;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endHubs();
    await this.#stack.disposeAsync();
  }
}
