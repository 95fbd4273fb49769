/** A driver in a package under an agent of an ordinary user, such as `npm start` begins: where the system allows user namespaces, and where it does not. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentStatus, readStatus } from "@porchlight/agent/ops/index.ts";
import { systemClock } from "@porchlight/shared/kernel";
import { expect, it } from "vitest";
import {
  CLOSED,
  CLOSED_TO_NETWORK,
  CLOSED_WITHOUT_SANDBOX,
  ESCAPING,
  ESCAPING_BY_NETWORK,
  type EscapingDriver,
  escapingSettings,
  packEscaping,
} from "../parts/escaping-driver.ts";
import { eventually } from "../parts/eventually.ts";
import { freePort } from "../parts/free-port.ts";
import { Home } from "../parts/home.ts";
import { Program } from "../parts/program.ts";
import { casesOf } from "../parts/rounds.ts";

/** Commands that become an agent: without any right of root's, also when root runs the tests. */
const ORDINARY = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--"];
const shell = (script: string) => ["sh", "-c", `${script} "$0" "$@"`];
const AS_ROOT_OF_NOTHING = ["unshare", "--user", "--map-root-user", "--mount", "--"];
/** A process in a chroot gets EPERM for a user namespace, as a program has it without a profile under AppArmor of Ubuntu. */
const WITH_EPERM = [...AS_ROOT_OF_NOTHING, ...shell("mount --rbind / /mnt && exec chroot /mnt")];
const NO_CAPABILITIES = "setpriv --bounding-set=-all --inh-caps=-all --no-new-privs --";
const WITH_NONE_LEFT = [
  ...AS_ROOT_OF_NOTHING,
  ...shell(`echo 0 >/proc/sys/user/max_user_namespaces && exec ${NO_CAPABILITIES}`),
];

interface Hub {
  readonly home: Home;
  /** Sets the driver's device through the cloud, and gives what came of its tries. */
  tried(driver: EscapingDriver): Promise<unknown>;
  detail(driver: EscapingDriver): Promise<Record<string, unknown>>;
  /** What a command of the agent prints. */
  output(...args: readonly string[]): Promise<string>;
}

async function withHub(within: readonly string[], use: (hub: Hub) => Promise<void>): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "porchlight-escape-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const [data, config, api] = [join(folder, "data"), join(folder, "agent.yaml"), await freePort()];
  const output = async (...args: readonly string[]) => {
    const lines: string[] = [];
    await using program = new Program("command", "agent/src/main.ts", [...args, "--data", data]);
    void program.line((line) => void lines.push(line)).catch(() => undefined);
    await program.ended;
    return `${lines.join("\n")}${program.stderr}`;
  };
  const abstract = `porchlight-escape-${process.pid}-${api}`;
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(`\0${abstract}`, resolve));
  stack.defer(() => new Promise((resolve) => server.close(() => resolve())));
  const drivers = {};
  for (const driver of [ESCAPING, ESCAPING_BY_NETWORK]) {
    mkdirSync(join(folder, driver.name));
    await output("drivers", "add", packEscaping(join(folder, driver.name), driver), "--yes");
    Object.assign(drivers, escapingSettings(driver, { data, api, abstract }));
  }
  writeFileSync(config, `apiPort: ${api}\ndrivers: ${JSON.stringify(drivers)}\n`);
  const agentEnv = { PORCHLIGHT_CONFIG: config };
  const home = stack.use(await Home.start({ agentData: data, agentEnv, agentWithin: within }));
  const detail = async ({ name }: EscapingDriver) => {
    const asked = await readStatus(data, systemClock);
    const links: AgentStatus["links"] = asked.kind === "running" ? asked.status.links : [];
    return Object.fromEntries(Object.entries(links.find((link) => link.name === name)?.detail ?? {}));
  };
  const tried = async (driver: EscapingDriver) => {
    await eventually(`${driver.name} is online`, async () => {
      await home.online();
      return (await home.connection(driver.edgeId)) === "online";
    });
    expect(await home.put(driver.edgeId, "Switch.on", true)).toMatchObject({ status: 200 });
    return await eventually(`${driver.name} reports what came of it`, async () => (await detail(driver)).came);
  };
  await use({ home, tried, detail, output });
  // Nothing was written for a driver.
  expect(readdirSync(data)).not.toContain("backups");
}

it("under an ordinary user who may make user namespaces, a driver in a package has no way out", () =>
  withHub(ORDINARY, async ({ home, tried, detail, output }) => {
    expect(await tried(ESCAPING)).toEqual(CLOSED);
    expect(await tried(ESCAPING_BY_NETWORK)).toEqual(CLOSED_TO_NETWORK);
    expect((await detail(ESCAPING)).notSandboxed).toBeUndefined();
    expect(await output("status")).not.toContain("runs without its sandbox");
    expect((await home.agent.stop()).code).toBe(0);
  }));

const FORBIDDEN = casesOf(
  [["gets EPERM for them", WITH_EPERM, "Operation not permitted"]] as const,
  [["may have none of them", WITH_NONE_LEFT, "No space left on device"]] as const,
);

it.for(FORBIDDEN)(
  "under a user who %s, a driver in a package runs with Node's permissions and without the secret of the control socket, and that is reported",
  ([_, within, why]) =>
    withHub(within, async ({ home, tried, detail, output }) => {
      expect(await tried(ESCAPING)).toMatchObject(CLOSED_WITHOUT_SANDBOX);
      expect((await detail(ESCAPING)).notSandboxed).toContain(why);
      for (const command of [["status"], ["doctor", "--cloud", home.api.base]])
        expect(await output(...command)).toMatch(
          new RegExp(`The driver escaping runs without its sandbox \\(.*${why}\\)`),
        );
    }),
);
