/** A home whose hub has drivers of other protocols: its settings, what a webhook receives, and the hub's own commands. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "@porchlight/agent/main/program.ts";
import { Receiver, taken } from "@porchlight/cloud/webhooks/receiver.fixture.ts";
import { systemClock, systemRandom } from "@porchlight/shared/kernel";
import { eventually } from "./eventually.ts";
import { type DeviceSummary, Home } from "./home.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** An event that a webhook received. */
interface Delivered {
  readonly type: string;
  readonly item: Readonly<Record<string, unknown>> | undefined;
}

export class DriverHome implements AsyncDisposable {
  readonly home: Home;
  /** The agent's settings file. */
  readonly config: string;
  /** Events of properties and devices, as they came. */
  readonly delivered: readonly Delivered[];
  readonly #stack: AsyncDisposableStack;

  private constructor(home: Home, config: string, delivered: readonly Delivered[], stack: AsyncDisposableStack) {
    this.home = home;
    this.config = config;
    this.delivered = delivered;
    this.#stack = stack;
  }

  /**
   * @param drivers what stands under `drivers:`
   * @param env of the agent, further settings
   * @param agentWithin a command that becomes the agent (see `Program`)
   */
  static async start(
    drivers: object,
    env: Readonly<Record<string, string>> = {},
    agentWithin: readonly string[] = [],
  ): Promise<DriverHome> {
    await using stack = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "porchlight-drivers-"));
    stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    const config = join(folder, "agent.yaml");
    writeFileSync(config, `drivers: ${JSON.stringify(drivers)}\n`);
    const agentEnv = { PORCHLIGHT_CONFIG: config, ...env };
    const home = stack.use(
      await Home.start({ agentEnv, agentWithin, env: { PORCHLIGHT_WEBHOOK_ALLOW: "127.0.0.0/8" } }),
    );
    const delivered: Delivered[] = [];
    const receiver = stack.use(
      await Receiver.start((received, response) => {
        const { type, data } = received.event;
        delivered.push({ type, item: data.item });
        taken(received, response);
      }),
    );
    await home.api.good("POST", "/api/webhooks", { url: receiver.url, events: ["property.*", "device.*"] });
    return new DriverHome(home, config, delivered, stack.move());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  /** What the hub answers through the cloud. @param path below `/api/clients/:id` */
  ofHub<T>(method: Method, path: string, body?: object, hub = this.home.clientId): Promise<T> {
    return this.home.api.good<T>(method, `/api/clients/${hub}${path}`, body);
  }

  async isOnline(edgeId: string): Promise<boolean> {
    return (await this.home.connection(edgeId)) === "online";
  }

  /** They are known to the cloud, and online. */
  async found(...edgeIds: readonly string[]): Promise<void> {
    await eventually("they are found", async () => {
      const { items } = await this.home.api.good<{ items: DeviceSummary[] }>("GET", "/api/devices");
      const online = items.filter(({ connection }) => connection.state === "online").map(({ edgeId }) => edgeId);
      return edgeIds.every((edgeId) => online.includes(edgeId));
    });
    await this.home.online();
  }

  /** Waits until a webhook receives this value of a property. */
  deliveredValue(service: string, value: unknown): Promise<unknown> {
    const isDelivered = async () =>
      this.delivered.some(({ item }) => item?.service === service && item.value === value);
    return eventually(`a webhook receives ${service} ${value}`, isDelivered);
  }

  /** Runs a command of the agent on the hub. Gives its output. */
  async onHub(...args: readonly string[]): Promise<string> {
    let output = "";
    const say = (text: string) => {
      output += text;
    };
    await runProgram(args, {
      ...{ clock: systemClock, random: systemRandom, env: process.env, out: say, err: say },
      prompt: () => Promise.reject(new Error("nobody is asked")),
      onInterrupt: () => ({ [Symbol.dispose]: () => undefined }),
    });
    return output;
  }

  doctor(): Promise<string> {
    const { api, agentData, folder } = this.home;
    const settings = ["--cloud", api.base, "--data", agentData, "--token-file", join(folder, "token")];
    return this.onHub("doctor", "--config", this.config, ...settings);
  }
}
