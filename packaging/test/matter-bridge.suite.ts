/** The demands on the Debian package of the Matter bridge: it is clean, and it runs beside the agent on the agent's own Node.js. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../test/parts/eventually.ts";
import { freePort } from "../../test/parts/free-port.ts";
import { ROOT } from "../../test/parts/program.ts";
import { Machine } from "./machine.fixture.ts";
import { Neighbourhood } from "./neighbourhood.fixture.ts";
import { runTool } from "./tool.fixture.ts";

const NAME = "porchlight-matter-bridge";
/** As of the agent's own service: 0 is a fully confined service, 10 an unconfined one. */
const EXPOSURE = 3.0;

/** @param agentPackage the agent's package, beside which it is installed */
export function matterBridgeSuite(agentPackage: () => string): void {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-build-"));
  let debianPackage = "";
  beforeAll(async () => {
    debianPackage = await build("one");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function build(name: string): Promise<string> {
    const words = [join(ROOT, "scripts", "package-matter-bridge.mjs"), "--out", join(folder, name)];
    const { status, stdout, output } = await runTool(process.execPath, words);
    if (status !== 0) throw new Error(`the bridge could not be built:\n${output}`);
    return stdout.trim().split("\n").at(-1) ?? "";
  }

  it("is clean by lintian", async () => {
    const { status, output } = await runTool("lintian", ["--allow-root", "--fail-on", "warning", debianPackage]);
    const findings = output.replace("running with root privileges is not recommended!\n", "");
    expect({ status, findings }).toEqual({ status: 0, findings: "" });
  });

  it("has a service that is confined by its unit", async () => {
    const unit = join(ROOT, "packaging", "matter-bridge", `${NAME}.service`);
    const args = ["security", "--offline=true", `--threshold=${EXPOSURE * 10}`, "--no-pager", unit];
    expect((await runTool("systemd-analyze", args)).status).toBe(0);
  });

  it("is the same bytes when it is built again", async () => {
    expect(readFileSync(await build("other")).equals(readFileSync(debianPackage))).toBe(true);
  });

  describe("on a machine with the agent", () => machineSuite(agentPackage, () => debianPackage));
}

function machineSuite(agentPackage: () => string, debianPackage: () => string): void {
  const stack = new AsyncDisposableStack();
  let machine: Machine;
  let street: Neighbourhood;
  beforeAll(async () => {
    machine = stack.use(await Machine.start());
    street = stack.use(await Neighbourhood.start());
    const files = [machine.take(agentPackage()), machine.take(debianPackage())].join(" ");
    await machine.good(`apt-get install --yes -o Dpkg::Options::=--force-unsafe-io ${files}`);
  });
  afterAll(() => stack.disposeAsync());

  const show = (property: string) => machine.good(`systemctl show --value --property ${property} ${NAME}`);
  const bridge = async () => JSON.parse(await machine.good("porchlight-agent matter --json"));

  it("waits as long as no agent runs, and reports it", async () => {
    expect(await machine.run(`/usr/lib/${NAME}/credential`)).toMatchObject({
      status: 1,
      output: "porchlight-agent does not run\n",
    });
    await eventually("it tries again", async () => (await show("SubState")) === "auto-restart");
    expect((await machine.run("porchlight-agent matter")).status).toBe(6);
  });

  it("makes itself a token, and shows its code, once an agent runs", async () => {
    const settings = `serial: [${street.line}]\\napiPort: ${await freePort()}\\n`;
    await machine.good(`printf '${settings}' >> /etc/porchlight/agent.yaml`);
    await machine.good(`printf 'matterPort: ${await freePort()}\\n' >> /etc/${NAME}/matter-bridge.yaml`);
    await machine.good(`porchlight-agent pair --cloud ${street.api.base} > /tmp/pairing 2>&1 &`);
    const code = await eventually(
      "the hub's own code is shown",
      async () => /\b[B-Z]{4}-[B-Z]{4}\b/.exec(await machine.good("cat /tmp/pairing"))?.[0],
    );
    // Not before the hub has an owner.
    expect((await machine.run("porchlight-agent matter")).status).toBe(6);
    await street.api.good("POST", `/api/pairings/${code}/approve`, { environmentId: street.environmentId });
    const shown = await eventually("a lamp is shown", async () => {
      const now = await bridge();
      return now.devices > 0 ? now : undefined;
    });
    expect(shown).toMatchObject({ state: "waiting", manualCode: expect.stringMatching(/^\d{11}$/) });
    expect(await machine.good("porchlight-agent token list")).toMatch(/Matter bridge$/);
  });

  it("runs as a user of its own, which sees nothing of the agent's, and may do nothing besides", async () => {
    const pid = await show("MainPID");
    expect(await machine.good(`stat -c %U /proc/${pid}`)).toBe("porchlight-matter");
    expect(await machine.good(`readlink /proc/${pid}/exe`)).toMatch(/\/usr\/lib\/porchlight-agent\/porchlight-agent$/);
    expect(await machine.good(`cat /proc/${pid}/status`)).toMatch(/^CapBnd:\s+0+$/m);
    const asBridge = "setpriv --reuid porchlight-matter --regid porchlight-matter --clear-groups";
    expect((await machine.run(`${asBridge} ls /var/lib/porchlight-agent`)).status).not.toBe(0);
    expect(await machine.good(`stat -c '%a %U' /var/lib/${NAME} /var/lib/${NAME}/token`)).toBe(
      "700 porchlight-matter\n600 porchlight-matter",
    );
  });

  it("makes itself another token when the hub takes the old one no more, and keeps its code", async () => {
    const { manualCode } = await bridge();
    const before = await machine.good(`cat /var/lib/${NAME}/token`);
    const [, id] = /^(tok_\S+)/.exec(await machine.good("porchlight-agent token list")) ?? [];
    await machine.good(`porchlight-agent token revoke ${id}`);
    await eventually("there is another", async () => (await machine.good(`cat /var/lib/${NAME}/token`)) !== before);
    await eventually("it is back", async () => (await show("ActiveState")) === "active");
    await eventually("it has its code", async () => (await bridge()).manualCode === manualCode);
  });

  it("is removed with everything that is its own, and leaves the agent as it was", async () => {
    await machine.good(`apt-get purge --yes ${NAME}`);
    expect((await machine.run(`ls /var/lib/${NAME} /etc/${NAME} /usr/lib/${NAME}`)).output).not.toMatch(/^\//m);
    expect(await machine.good("systemctl is-active porchlight-agent")).toBe("active");
  });
}
