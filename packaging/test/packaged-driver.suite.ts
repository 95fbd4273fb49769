/** The demands on a driver in a package under the agent's own service: its devices come, and each way out is closed. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  CLOSED,
  CLOSED_TO_NETWORK,
  CLOSED_WITHOUT_SANDBOX,
  ESCAPING,
  ESCAPING_BY_NETWORK,
  type EscapingDriver,
  escapingSettings,
  packEscaping,
} from "../../test/parts/escaping-driver.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { freePort } from "../../test/parts/free-port.ts";
import type { Machine } from "./machine.fixture.ts";
import type { Neighbourhood } from "./neighbourhood.fixture.ts";

const DATA = "/var/lib/porchlight-agent";
const DROP_IN = "/run/systemd/system/porchlight-agent.service.d";
const DRIVERS = [ESCAPING, ESCAPING_BY_NETWORK];

/** A driver in the agent's status. */
interface DriverLink {
  readonly name: string;
  readonly detail?: {
    readonly pid?: number;
    readonly notSandboxed?: string;
    readonly came?: object;
  };
}

/** @param of the machine on which the agent runs, paired, and what it finds there */
export function packagedDriverSuite(of: () => { readonly machine: Machine; readonly street: Neighbourhood }): void {
  const stack = new AsyncDisposableStack();
  const abstract = `porchlight-escape-${process.pid}`;
  let settings = "";
  beforeAll(async () => {
    const { machine } = of();
    const folder = mkdtempSync(join(tmpdir(), "porchlight-escape-"));
    stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    const server: Server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(`\0${abstract}`, resolve));
    stack.defer(() => new Promise((resolve) => server.close(() => resolve())));
    const api = await freePort();
    const ways = { data: DATA, api, abstract };
    for (const driver of DRIVERS) {
      mkdirSync(join(folder, driver.name));
      const archive = machine.take(packEscaping(join(folder, driver.name), driver));
      await machine.good(`porchlight-agent drivers add ${archive} --yes`);
    }
    const drivers = Object.assign({}, ...DRIVERS.map((driver) => escapingSettings(driver, ways)));
    settings = `apiPort: ${api}\ndrivers: ${JSON.stringify(drivers)}\n`;
    await machine.good(`cp /etc/porchlight/agent.yaml /tmp/before.yaml`);
    await machine.good(`cat >>/etc/porchlight/agent.yaml <<'END'\n${settings}END`);
    await machine.good("systemctl restart porchlight-agent");
  });
  afterAll(() => stack.disposeAsync());

  async function detailOf({ name }: EscapingDriver): Promise<NonNullable<DriverLink["detail"]>> {
    const { links } = JSON.parse((await of().machine.run("porchlight-agent status --json")).stdout);
    return (links as readonly DriverLink[]).find((each) => each.name === name)?.detail ?? {};
  }
  /** Sets the driver's device through the cloud, and gives what came of its tries. */
  async function tried(driver: EscapingDriver): Promise<object> {
    const { street } = of();
    await eventually(`${driver.name} is set`, async () => {
      const { items } = await street.api.good<{ items: { id: string; edgeId: string }[] }>("GET", "/api/devices");
      const found = items.find(({ edgeId }) => edgeId === driver.edgeId);
      if (!found) throw new Error("the cloud does not know its device");
      return await street.api.good("PUT", `/api/devices/${found.id}/services/Switch.on`, { value: true });
    });
    return await eventually(`${driver.name} reports what came of it`, async () => (await detailOf(driver)).came);
  }

  it("brings its device to the cloud, and finds each way out closed", async () => {
    expect(await tried(ESCAPING)).toEqual(CLOSED);
    expect(await tried(ESCAPING_BY_NETWORK)).toEqual(CLOSED_TO_NETWORK);
    expect(await detailOf(ESCAPING)).not.toHaveProperty("notSandboxed");
  });

  it("has no capability, sees its own folder and nothing of the agent, and is the system's first choice when memory is short", async () => {
    const { machine } = of();
    const { pid } = await detailOf(ESCAPING);
    const status = await machine.good(`cat /proc/${pid}/status`);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect(status).toMatch(/^CapBnd:\s+0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    // Its own process, and not one of those that set up the sandbox.
    expect(status).toMatch(/^NSpid:\s+\d+\s+1$/m);
    expect(await machine.good(`cat /proc/${pid}/oom_score_adj`)).toBe("1000");
    const root = `/proc/${pid}/root`;
    expect(await machine.good(`find ${root}${DATA} -type f | sort`)).toBe(
      [".integrity", "driver.cjs", "package.json"].map((name) => `${root}${DATA}/drivers/escaping/${name}`).join("\n"),
    );
    expect(await machine.good(`ls -A ${root}/etc/porchlight ${root}/tmp`)).toBe(
      `${root}/etc/porchlight:\n\n${root}/tmp:`,
    );
    for (const path of ["/run", "/proc", "/home", "/root"])
      expect((await machine.run(`test -e ${root}${path}`)).status).toBe(1);
  });

  it("runs without its sandbox where user namespaces are forbidden, and status and doctor name it", async () => {
    // AppArmor of Ubuntu has the same effect: the call ends with EPERM.
    const { machine } = of();
    await machine.good(
      `mkdir -p ${DROP_IN} && printf '[Service]\\nRestrictNamespaces=yes\\n' > ${DROP_IN}/strict.conf`,
    );
    await machine.good("systemctl daemon-reload && systemctl restart porchlight-agent");
    expect(await tried(ESCAPING)).toMatchObject(CLOSED_WITHOUT_SANDBOX);
    expect(await detailOf(ESCAPING)).toMatchObject({
      notSandboxed: expect.stringContaining("Operation not permitted"),
    });
    for (const command of ["status", "doctor"])
      expect((await machine.run(`porchlight-agent ${command}`)).output).toContain(
        "The driver escaping runs without its sandbox (unshare: unshare failed: Operation not permitted)",
      );
    await machine.good(`rm -r ${DROP_IN} && systemctl daemon-reload && systemctl restart porchlight-agent`);
    expect(await tried(ESCAPING)).toEqual(CLOSED);
    expect(await detailOf(ESCAPING)).not.toHaveProperty("notSandboxed");
  });

  it("leaves with its settings and its package", async () => {
    const { machine } = of();
    for (const { name } of DRIVERS) await machine.good(`porchlight-agent drivers remove ${name}`);
    await machine.good("cat /tmp/before.yaml >/etc/porchlight/agent.yaml && systemctl restart porchlight-agent");
    expect(await machine.good(`ls -A ${DATA}/drivers`)).toBe("");
  });
}
