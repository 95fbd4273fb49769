/** A hub that its owner looks after from afar, through the tunnel: real processes, with secrets in the settings of the agent. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStatus } from "@porchlight/agent/ops/control-socket.ts";
import type { Why } from "@porchlight/shared/api";
import { systemClock } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { Home } from "../parts/home.ts";
import { LAMP } from "../parts/simulator.ts";

const LAN_KEY = "5ec2e7005ec2e7005ec2e7005ec2e700";
const PROXY_PASSWORD = "a-proxy-password";

/** Long enough for a busy machine: that a silent hub is found out is tested elsewhere. */
const PATIENT = { PORCHLIGHT_LEASE_MS: "15000", PORCHLIGHT_HEARTBEAT_MS: "3000" };

interface Status {
  readonly uptimeMs: number;
  readonly restart: string;
}

interface Log {
  readonly isKept: boolean;
  readonly items: readonly { readonly at: string; readonly level: string; readonly text: string }[];
}

const stack = new AsyncDisposableStack();
let folder = "";
let config = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-from-afar-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  config = join(folder, "agent.yaml");
  writeFileSync(config, "logLevel: debug\n");
});
afterAll(() => stack.disposeAsync());

const of = (home: Home, what: string) => `/api/clients/${home.clientId}/${what}`;
const statusOf = (home: Home) => home.api.good<Status>("GET", of(home, "status"));

/** Settles when an agent answers that has started after that moment, monotonic ms. */
async function restartedSince(home: Home, asked: number): Promise<void> {
  await eventually("the hub has restarted", async () => {
    const { status, body } = await home.api.call<Status>("GET", of(home, "status"));
    return status === 200 && body.uptimeMs < performance.now() - asked;
  });
}

describe("a hub without a service manager", () => {
  let home: Home;
  beforeAll(async () => {
    home = stack.use(
      await Home.start({
        env: PATIENT,
        agentEnv: {
          PORCHLIGHT_CONFIG: config,
          PORCHLIGHT_LAN_KEYS: `02-00-00-00-00-99=${LAN_KEY}`,
          HTTPS_PROXY: `http://porter:${PROXY_PASSWORD}@127.0.0.1:1`,
        },
      }),
    );
  });

  it("returns its log with the context of each line, newest last, and without a secret; the service keeps none of it", async () => {
    expect((await home.put(LAMP, "LightColor.hue", 120)).status).toBe(200);
    const log = await home.api.good<Log>("GET", of(home, "logs?minutes=60&level=debug"));
    expect(log.isKept).toBe(true);
    const texts = log.items.map(({ text }) => text);
    expect(texts.findIndex((text) => text.startsWith("the agent runs"))).toBeGreaterThanOrEqual(0);
    expect(texts.at(-1)).toMatch(/is answered/);
    expect([...log.items].map(({ at }) => at).sort()).toEqual(log.items.map(({ at }) => at));
    const secrets = [readFileSync(join(home.folder, "token"), "utf8").trim(), LAN_KEY, PROXY_PASSWORD];
    expect(secrets.filter((secret) => texts.join("\n").includes(secret))).toEqual([]);
    expect(home.cloud.stderr).not.toContain("the agent runs");
    const warnings = await home.api.good<Log>("GET", of(home, "logs?level=error"));
    expect(warnings.items).toEqual([]);
  });

  it("returns from its journal what it did with a command, what went over the line, and where the time went", async () => {
    const { headers } = await home.put(LAMP, "LightColor.hue", 77);
    const { cause, unknown } = await home.api.good<Why>("GET", `${home.path(LAMP, "LightColor.hue")}/why`);
    expect(cause).toMatchObject({
      ...{ kind: "command", commandId: headers.get("x-command-id") },
      command: {
        ...{ outcome: "confirmed", by: { kind: "account", address: "127.0.0.1" } },
        journal: { isFound: true, outcome: "confirmed", begunAt: expect.any(String) },
      },
    });
    const hops = cause.command?.hops ?? [];
    expect(hops.map(({ hop }) => hop)).toEqual(["api", "tunnel", "hub", "device"]);
    const sum = hops.reduce((ms, each) => ms + each.ms, 0);
    // Rounded each, and measured by clocks of whole milliseconds beside.
    expect(sum).toBeLessThan((cause.command?.durationMs ?? 0) + 5);
    expect(cause.command?.frames?.map(({ direction, says }) => `${direction} ${says.split(" ")[0]}`)).toEqual([
      "to_device WRITE",
      "from_device WRITTEN",
    ]);
    expect(unknown).toEqual([]);
  });

  it("makes a backup that lies in its data folder, its owner's alone", async () => {
    const made = await home.api.good<{ folder: string; name: string; bytes: number }>("POST", of(home, "backups"));
    expect(made.folder).toBe(join(home.agentData, "backups"));
    const file = statSync(join(made.folder, made.name));
    expect([file.size, file.mode & 0o077]).toEqual([made.bytes, 0]);
    const { items } = await home.api.good<{ items: object[] }>("GET", of(home, "backups"));
    expect(items).toMatchObject([{ name: made.name, bytes: made.bytes }]);
  });

  it("returns the same findings as its doctor on the hub", async () => {
    const { items } = await home.api.good<{ items: { name: string; verdict: string }[] }>("GET", of(home, "doctor"));
    expect(items.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
    expect(items.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["data folder", "disk", "identity", "token", "cloud", "clock", "agent"]),
    );
  });

  it("restarts in its process, and the outcome of every write under way is known once it is back", async () => {
    const { pid } = home.agent;
    const before = await statusOf(home);
    expect(before.restart).toBe("in_process");
    let isOver = false;
    const answers: string[] = [];
    const doubtful: string[] = [];
    const writing = (async () => {
      for (let hue = 0; !isOver; hue = (hue + 10) % 350) {
        const { status, body, headers } = await home.put(LAMP, "LightColor.hue", hue, 20);
        answers.push(status === 200 ? "done" : `${body.title}: ${body.outcome}`);
        // The frame of a command that was sent as the hub left may have been read, or not.
        if (body.outcome === "unknown") doubtful.push(headers.get("x-command-id") ?? "");
      }
    })();
    const asked = performance.now();
    const accepted = await home.api.call("POST", of(home, "restart"));
    expect(accepted.status).toBe(202);
    await restartedSince(home, asked);
    isOver = true;
    await writing;
    expect(home.agent.pid).toBe(pid);
    expect(answers).toContain("done");
    await home.online();
    for (const id of doubtful)
      await eventually(`the end of ${id} is known`, async () => {
        const { state, outcome } = await home.api.good<{ state: string; outcome?: string }>(
          "GET",
          `/api/commands/${id}`,
        );
        return state !== "sent" && outcome !== "unknown";
      });
    expect((await home.put(LAMP, "LightColor.hue", 200)).status).toBe(200);
  });

  it("is not restarted while it would not start with its settings, and reports why", async () => {
    writeFileSync(config, "logLevel: loud\n");
    const refused = await home.api.call<{ title: string; detail: string; outcome: string }>(
      "POST",
      of(home, "restart"),
    );
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ title: "Hub Rejected", outcome: "not_applied" });
    expect(refused.body.detail).toContain("logLevel");
    writeFileSync(config, "logLevel: debug\n");
    expect((await readStatus(home.agentData, systemClock)).kind).toBe("running");
  });
});

it("a hub under a service manager ends with the status that has it started again", async () => {
  await using home = await Home.start({ env: PATIENT, agentEnv: { NOTIFY_SOCKET: join(folder, "nobody") } });
  expect((await statusOf(home)).restart).toBe("service_manager");
  const asked = performance.now();
  expect((await home.api.call("POST", of(home, "restart"))).status).toBe(202);
  expect(await home.agent.ended).toEqual({ code: 75, signal: null });
  home.startAgent();
  await restartedSince(home, asked);
});
