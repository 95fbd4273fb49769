/**
 * An agent, as the executable of the package, with 100 devices of other protocols: memory and processor time with nothing to do, and while each
 * device changes every ten seconds; beside the same agent without drivers. The devices are fakes behind real sockets, in this process.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStatus } from "@porchlight/agent/ops/control/ask-agent.ts";
import { systemClock } from "@porchlight/shared/kernel";
import { Api } from "../parts/api.ts";
import { eventually } from "../parts/eventually.ts";
import { Program } from "../parts/program.ts";
import { agentExecutable, forgetFile } from "./executable.ts";
import { espHomeBulbs } from "./others/esphome.ts";
import { hueLamps } from "./others/hue.ts";
import type { Others } from "./others/others.ts";
import { shellyLamps } from "./others/shelly.ts";
import { zwaveDimmers } from "./others/zwave.ts";
import { type Idle, idle } from "./parts.ts";
import { print } from "./report.ts";

const KINDS: readonly ((count: number) => Promise<Others>)[] = [shellyLamps, hueLamps, zwaveDimmers, espHomeBulbs];
const DEVICES = 100;
const OF_A_KIND = Math.floor(DEVICES / KINDS.length);
const CHANGE_EVERY_MS = 10_000;
const MB = 1e6;

const folder = mkdtempSync(join(tmpdir(), "porchlight-bench-"));
await using stack = new AsyncDisposableStack();
const executable = await agentExecutable(folder);
const others = await Promise.all(KINDS.map(async (kind) => stack.use(await kind(OF_A_KIND))));
const cloud = stack.use(
  new Program("cloud", "cloud/src/main.ts", [
    ...["serve", "--port", "0", "--rate-limit", "off", "--data", join(folder, "cloud")],
  ]),
);
const url = await cloud.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]);
const login = { email: "bench@home.example", password: "a-long-and-quiet-password" };
const stranger = new Api(url);
const { environmentId } = await stranger.good<{ environmentId: string }>("POST", "/api/accounts", login);
const api = stranger.as((await stranger.good<{ token: string }>("POST", "/api/accounts/login", login)).token);

const [without] = await measured("without", []);
const [still, lively] = await measured("with", others);
const what = `agent with ${OF_A_KIND * KINDS.length} devices of ${KINDS.length} other protocols`;
print(`${what}, idle: memory, MB (limit: without drivers)`, {
  measured: still.residentBytes / MB,
  limit: without.residentBytes / MB,
  ratio: still.residentBytes / without.residentBytes,
  goal: "told",
  private: still.privateBytes / MB,
  "private without": without.privateBytes / MB,
});
for (const [when, { processor }] of [
  ["idle", still],
  ["each changing every 10 s", lively],
] as const)
  print(`${what}, ${when}: processor, % of a core (limit: without drivers)`, {
    measured: 100 * processor,
    limit: 100 * without.processor,
    ratio: processor / without.processor,
    goal: "told",
  });
rmSync(folder, { recursive: true, force: true });

/** The agent with nothing to do, and then with devices that change. */
async function measured(name: string, kinds: readonly Others[]): Promise<readonly [still: Idle, lively: Idle]> {
  const data = join(folder, name);
  const file = join(folder, `${name}.yaml`);
  const { id: clientId } = await api.good<{ id: string }>("POST", "/api/clients", { environmentId });
  const { token } = await api.good<{ token: string }>("POST", `/api/clients/${clientId}/tokens`);
  writeFileSync(file, JSON.stringify({ drivers: Object.assign({}, ...kinds.map(({ settings }) => settings)) }));
  writeFileSync(`${data}.token`, token, { mode: 0o600 });
  const args = ["run", "--config", file, "--cloud", url, "--data", data, "--token-file", `${data}.token`];
  forgetFile(executable);
  const agent = spawn(executable, args, { stdio: "ignore" });
  const pid = agent.pid ?? 0;
  using _ = { [Symbol.dispose]: () => void agent.kill("SIGKILL") };
  const status = async () => {
    const answer = await readStatus(data, systemClock);
    return answer.kind === "running" && answer.status.tunnel.live ? answer.status : undefined;
  };
  await eventually("the hub is online", status);
  for (const kind of kinds) await kind.pair?.(api, clientId);
  await eventually("all devices are live", async () => {
    const now = await status();
    const live = now?.devices.filter((each) => each.live).length;
    return live === kinds.length * OF_A_KIND && now?.queue.records === 0;
  });
  const still = await idle(pid);
  if (kinds.length === 0) return [still, still];
  let round = 0;
  const changing = setInterval(() => {
    round += 1;
    const device = round % OF_A_KIND;
    for (const kind of kinds) kind.change(device, round);
  }, CHANGE_EVERY_MS / OF_A_KIND);
  const lively = await idle(pid);
  clearInterval(changing);
  return [still, lively];
}
