/** A hub of a home that has the Matter driver, bundled as for a release: its setups, and its measurements. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStatus } from "@porchlight/agent/ops/control-socket.ts";
import { systemClock } from "@porchlight/shared/kernel";
import type { HubDriver, HubSetup } from "@porchlight/shared/model";
import { DriverHome } from "./driver-home.ts";
import { eventually } from "./eventually.ts";
import { packagedDriver } from "./released-driver.ts";
import type { WallClock } from "./wall-clock.ts";

export interface MatterHomeOptions {
  readonly memoryMb?: number;
  /** Of the agent and its drivers. */
  readonly clock?: WallClock;
}

/** One hub of the home. */
interface HubPlace {
  readonly clientId: string;
  /** Its data folder. */
  readonly data: string;
  /** The driver's package. */
  readonly archive: string;
}

export class MatterHome implements AsyncDisposable {
  readonly hub: DriverHome;
  readonly #place: HubPlace;
  readonly #stack: AsyncDisposableStack;

  private constructor(hub: DriverHome, place: HubPlace, stack: AsyncDisposableStack) {
    this.hub = hub;
    this.#place = place;
    this.#stack = stack;
  }

  /**
   * @param options.memoryMb what the driver's manifest asks for, when not what it is released with
   * @throws Error with its whole output when the driver cannot be built
   */
  static async start({ memoryMb, clock }: MatterHomeOptions = {}): Promise<MatterHome> {
    await using stack = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "porchlight-matter-driver-"));
    stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    const archive = await packagedDriver(folder);
    if (memoryMb !== undefined) allow(archive, memoryMb);
    const hub = stack.use(await DriverHome.start({ matter: { admit: "all" } }, clock?.env, clock?.withDrivers));
    const { home } = hub;
    await hub.onHub("drivers", "add", archive, "--yes", "--data", home.agentData);
    await home.agent.stop();
    home.startAgent();
    const place = { clientId: home.clientId, data: home.agentData, archive };
    const started = new MatterHome(hub, place, stack.move());
    await eventually("the driver runs", async () => (await started.driver()).setups.length > 0).catch(
      async (failure: unknown) => {
        const { stderr } = home.agent;
        await started[Symbol.asyncDispose]();
        throw new Error(`${failure}\n${stderr}`);
      },
    );
    return started;
  }

  /** A second hub of the same home, with the same driver, and no other devices. It ends with the home. */
  async neighbour(): Promise<MatterHome> {
    const { hub } = this;
    const { archive } = this.#place;
    const data = hub.home.neighbourData;
    await hub.onHub("drivers", "add", archive, "--yes", "--data", data);
    const clientId = await hub.home.startNeighbour();
    const second = new MatterHome(hub, { clientId, data, archive }, new AsyncDisposableStack());
    await eventually("the second hub's driver runs", async () => (await second.driver()).setups.length > 0);
    return second;
  }

  get clientId(): string {
    return this.#place.clientId;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  #ofHub<T>(method: "GET" | "POST" | "PUT", path: string, body?: object): Promise<T> {
    return this.hub.ofHub<T>(method, path, body, this.#place.clientId);
  }

  async driver(): Promise<HubDriver> {
    const { items } = await this.#ofHub<{ items: readonly HubDriver[] }>("GET", "/drivers");
    const found = items.find(({ name }) => name === "matter");
    if (!found) throw new Error("The hub has no such driver.");
    return found;
  }

  /** The driver's own status on the hub. */
  async status(): Promise<Readonly<Record<string, unknown>>> {
    const asked = await readStatus(this.#place.data, systemClock);
    const found = asked.kind === "running" ? asked.status.links.find(({ name }) => name === "matter") : undefined;
    return Object.fromEntries(Object.entries(found?.detail ?? {}));
  }

  /** Private memory of the driver's process, MB. */
  async memoryMb(): Promise<number> {
    const { pid } = await this.status();
    const [, kilobytes = "0"] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  }

  begin(kind: string): Promise<HubSetup> {
    return this.#ofHub<HubSetup>("POST", "/setups", { kind });
  }

  look(id: string): Promise<HubSetup> {
    return this.#ofHub<HubSetup>("GET", `/setups/${id}`);
  }

  /** Waits until it asks. */
  asks(id: string): Promise<NonNullable<HubSetup["question"]>> {
    return eventually("the setup asks", async () => (await this.look(id)).question);
  }

  async answers(id: string, answer: string): Promise<void> {
    const { number } = await this.asks(id);
    await this.#ofHub("PUT", `/setups/${id}/answers/${number}`, { answer });
  }

  ends(id: string): Promise<HubSetup> {
    return eventually(
      "the setup has ended",
      async () => {
        const now = await this.look(id);
        return now.state === "done" || now.state === "failed" || now.state === "cancelled" ? now : undefined;
      },
      180_000,
    );
  }

  /** @param code digits or the text of a QR code */
  async pair(code: string): Promise<HubSetup> {
    const { id } = await this.begin("matter");
    await this.answers(id, code);
    return this.ends(id);
  }

  async admit(edgeId: string): Promise<void> {
    await this.#ofHub("PUT", `/admissions/${edgeId}`, {});
  }
}

/** The same package with another limit. */
function allow(archive: string, memoryMb: number): void {
  const folder = `${archive}.files`;
  const tar = (...args: readonly string[]) => execFileSync("tar", [...args, "-C", folder], { encoding: "utf8" });
  mkdirSync(folder);
  tar("-xzf", archive);
  const path = join(folder, "package", "package.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...manifest, porchlight: { ...manifest.porchlight, memoryMb } }));
  execFileSync("tar", ["-czf", archive, "-C", folder, "package"]);
}
