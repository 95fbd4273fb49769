/** What both journeys of the console begin with: a home that works, the program on the path, a hub that is not paired, a server beside it. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { eventually } from "../parts/eventually.ts";
import { Home } from "../parts/home.ts";
import { Program } from "../parts/program.ts";
import { programFile } from "../parts/program-file.ts";
import { LAMP } from "../parts/simulator.ts";

export class ConsoleJourney implements AsyncDisposable {
  readonly home: Home;
  readonly #stack = new AsyncDisposableStack();

  private constructor(home: Home) {
    this.home = this.#stack.use(home);
  }

  /** A home whose lamp is called `lamp`. */
  static async start(): Promise<ConsoleJourney> {
    const journey = new ConsoleJourney(await Home.start({ env: { PORCHLIGHT_PAIRING_INTERVAL_MS: "200" } }));
    const { home } = journey;
    const { items } = await home.api.good<{ items: { id: string; edgeId: string }[] }>("GET", "/api/devices");
    const lamp = items.find(({ edgeId }) => edgeId === LAMP);
    await home.api.good("PUT", `/api/devices/${lamp?.id}`, { alias: "lamp" });
    await home.api.good("PUT", `/api/environments/${home.environmentId}`, { alias: "home" });
    mkdirSync(journey.#bin);
    const program = join(journey.#bin, "porchlight");
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${programFile("console/src/main.ts")}" "$@"\n`);
    chmodSync(program, 0o755);
    return journey;
  }

  get #bin(): string {
    return join(this.home.folder, "bin");
  }

  /** Where the console keeps its settings. */
  get settings(): string {
    return join(this.home.folder, "console", "settings.json");
  }

  get env(): Record<string, string> {
    return { PATH: `${this.#bin}:${process.env.PATH}`, PORCHLIGHT_SETTINGS: this.settings };
  }

  /** Runs a hub that is not paired; gives the code and the key that it shows. */
  async unpairedHub(): Promise<{ code: string; fingerprint: string; edgeId: string }> {
    const data = join(this.home.folder, "unpaired");
    const env = { PORCHLIGHT_BACKOFF_FIRST_MS: "100", PORCHLIGHT_PAIRING_INTERVAL_MS: "200" };
    const args = ["run", "--cloud", this.home.api.base, "--data", data];
    const hub = this.#stack.use(new Program("unpaired hub", "agent/src/main.ts", args, env));
    return eventually("the hub shows a code", async () => {
      const line = hub.stderr.split("\n").find((each) => each.includes("is waiting to be paired")) ?? "";
      const { msg, fingerprint, edgeId } = JSON.parse(line);
      return { code: /enter (\S+) at/.exec(msg)?.[1] ?? "", fingerprint, edgeId };
    });
  }

  /** A server that answers 204 to requests that are signed with the secret, and 400 to others. */
  receiver(secret: string): Promise<{ url: string; events: unknown[] }> {
    const events: unknown[] = [];
    return this.#serve(
      (headers, body) => {
        events.push(new Webhook(secret).verify(body, headers));
        return { status: 204 };
      },
      (url) => ({ url, events }),
    );
  }

  /** A service that has too much to do. */
  busyService(): Promise<string> {
    const problem = { type: "/docs/errors/rate-limit-exceeded", title: "Rate Limit Exceeded", status: 429 };
    const text = JSON.stringify({ ...problem, detail: "Too many requests.", instance: "r" });
    return this.#serve(
      () => ({ status: 429, text }),
      (url) => url,
    );
  }

  async #serve<T>(
    answer: (headers: Record<string, string>, body: string) => { status: number; text?: string },
    made: (url: string) => T,
  ): Promise<T> {
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (data) => {
        body += data;
      });
      request.on("end", () => {
        try {
          const { status, text = "" } = answer(request.headers as Record<string, string>, body);
          response.writeHead(status, { "content-type": "application/problem+json", "retry-after": "60" }).end(text);
        } catch (failure) {
          response.writeHead(400).end(String(failure));
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    this.#stack.defer(() => {
      server.closeAllConnections();
      server.close();
    });
    return made(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  /** Sets the lamp to one value after another until something has come of it: a stream begins at no moment that can be seen. */
  async setUntil(came: () => boolean): Promise<void> {
    let hue = 0;
    await eventually("a change arrives", async () => {
      hue = (hue + 1) % 360;
      await this.home.put(LAMP, "LightColor.hue", hue);
      return came() || undefined;
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}
