/** The demands on the Debian package: Debian's own judges find nothing, and it installs, runs, upgrades and is removed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { itAtLength } from "../../test/parts/at-length.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { ROOT } from "../../test/parts/program.ts";
import { type Built, buildAgent } from "./built.fixture.ts";
import { Machine } from "./machine.fixture.ts";
import { Neighbourhood } from "./neighbourhood.fixture.ts";
import { packagedDriverSuite } from "./packaged-driver.suite.ts";
import { runTool } from "./tool.fixture.ts";

/** The highest exposure that `systemd-analyze security` may give: 0 is a fully confined service, 10 an unconfined one. */
const EXPOSURE = 3.0;

/** @param built what has been built */
export function debianPackageSuite(built: () => Built): void {
  // Judging and building again takes longer than all else; the package that is installed below is the same.
  itAtLength("is clean by lintian", async () => {
    // Not the spelling of texts in the program, which are Node.js's: it takes longer than all else.
    const args = ["--allow-root", "--fail-on", "warning", "--dont-check-part", "binaries/spelling"];
    const { status, output } = await runTool("lintian", [...args, built().debianPackage]);
    const findings = output.replace("running with root privileges is not recommended!\n", "");
    expect({ status, findings }).toEqual({ status: 0, findings: "" });
  });

  it("has a service that is confined by its unit", async () => {
    const unit = join(ROOT, "packaging", "agent", "porchlight-agent.service");
    const args = ["security", "--offline=true", `--threshold=${EXPOSURE * 10}`, "--no-pager", unit];
    const { status, stdout } = await runTool("systemd-analyze", args);
    console.info(stdout.trim().split("\n").at(-1));
    expect(status).toBe(0);
  });

  itAtLength(
    "is the same bytes when it is built at another time, elsewhere, by a user with other settings",
    async () => {
      using again = await buildAgent({ TZ: "Pacific/Auckland", LC_ALL: "C" }, "077");
      expect(readFileSync(again.executable).equals(readFileSync(built().executable))).toBe(true);
      expect(readFileSync(again.debianPackage).equals(readFileSync(built().debianPackage))).toBe(true);
    },
  );

  describe("on a bare machine", () => machineSuite(() => built().debianPackage));
}

/** One machine's life with the package, in the order in which it happens. */
function machineSuite(debianPackage: () => string): void {
  const stack = new AsyncDisposableStack();
  let machine: Machine;
  let street: Neighbourhood;
  let file = "";
  let install = "";
  beforeAll(async () => {
    machine = stack.use(await Machine.start());
    street = stack.use(await Neighbourhood.start());
    file = machine.take(debianPackage());
    install = `dpkg --force-unsafe-io --install ${file}`;
  });
  afterAll(() => stack.disposeAsync());

  const show = (property: string) => machine.good(`systemctl show --value --property ${property} porchlight-agent`);
  const running = () =>
    eventually("the agent runs", async () => (await show("ActiveState")) === "active" && (await show("MainPID")));
  const identity = () => machine.good("cat /var/lib/porchlight-agent/identity.key");

  it("is installed, and waits for the URL of its cloud: nothing is paired and nothing has failed", async () => {
    await machine.good(`apt-get install --yes -o Dpkg::Options::=--force-unsafe-io ${file}`);
    expect((await machine.run("command -v node")).status).not.toBe(0);
    expect(await machine.good("systemctl is-enabled porchlight-agent")).toBe("enabled");
    expect([await show("ActiveState"), await show("Result")]).toEqual(["inactive", "exec-condition"]);
    expect(await machine.good("stat -c '%a %U' /var/lib/porchlight-agent /etc/porchlight/agent.yaml")).toBe(
      "700 porchlight\n640 root",
    );
    expect(await machine.good("ls /var/lib/porchlight-agent")).toBe("");
    expect(await machine.run("porchlight-agent status")).toMatchObject({ status: 6 });
    const anybody = "setpriv --reuid nobody --regid nogroup --clear-groups porchlight-agent";
    expect(await machine.run(`${anybody} status`)).toMatchObject({
      status: 4,
      output: expect.stringContaining("use sudo"),
    });
    expect((await machine.run(`${anybody} --version`)).status).toBe(0);
  });

  it("is paired by a code, and sets a lamp on a serial line and one on the network through the cloud", async () => {
    // The commands of the README, with the approval that its owner gives meanwhile.
    const settings = `serial: [${street.line}]\nlan: 127.0.0.1\nlan.admit: [${street.lamps[1]}]\n`;
    await machine.good(`printf '${settings.replaceAll("\n", "\\n")}' >> /etc/porchlight/agent.yaml`);
    await machine.good(`porchlight-agent pair --cloud ${street.api.base} > /tmp/pairing 2>&1 &`);
    const code = await eventually(
      "the code is shown",
      async () => /\b[B-Z]{4}-[B-Z]{4}\b/.exec(await machine.good("cat /tmp/pairing"))?.[0],
    );
    await street.api.good("POST", `/api/pairings/${code}/approve`, { environmentId: street.environmentId });
    await eventually("it is paired", async () => (await machine.good("cat /tmp/pairing")).includes("paired: client"));
    expect(await street.setBoth(201)).toEqual([201, 201]);
  });

  it("notifies systemd that it is ready and what it does, and may do nothing besides", async () => {
    const pid = await running();
    expect(await show("StatusText")).toContain("devices live");
    const status = await machine.good(`cat /proc/${pid}/status`);
    expect(status).toMatch(/^CapBnd:\s+0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(status).toMatch(/^Seccomp:\s+2$/m);
    expect(await machine.good(`stat -c %U /proc/${pid}`)).toBe("porchlight");
  });

  it("is started anew when its watchdog expires", async () => {
    const override = "/run/systemd/system/porchlight-agent.service.d";
    await machine.good(
      `mkdir -p ${override} && printf '[Service]\\nWatchdogSec=3\\nRestartSec=0\\n' > ${override}/quick.conf`,
    );
    await machine.good("systemctl daemon-reload && systemctl restart porchlight-agent");
    const stuck = await running();
    await machine.good(`kill -STOP ${stuck}`);
    await eventually(
      "another one runs",
      async () => (await show("ActiveState")) === "active" && (await show("MainPID")) !== stuck,
    );
    await machine.good(`rm -r ${override} && systemctl daemon-reload && systemctl restart porchlight-agent`);
    expect(await street.setBoth(17)).toEqual([17, 17]);
  });

  it("looks for another token on a reload, and runs on", async () => {
    const before = await running();
    await machine.good("systemctl reload porchlight-agent");
    expect(await street.setBoth(23)).toEqual([23, 23]);
    expect(await running()).toBe(before);
  });

  describe("a driver in a package", () => packagedDriverSuite(() => ({ machine, street })));

  it("is upgraded with its key, its token and its settings kept, and runs on", async () => {
    const [before, key] = [await running(), await identity()];
    const settings = await machine.good("cat /etc/porchlight/agent.yaml");
    await machine.good(install);
    expect(await running()).not.toBe(before);
    expect([await identity(), await machine.good("cat /etc/porchlight/agent.yaml")]).toEqual([key, settings]);
    expect(await street.setBoth(122)).toEqual([122, 122]);
  });

  it("stays switched off through an upgrade", async () => {
    await machine.good("systemctl disable --now porchlight-agent");
    // What dpkg does with it at the end of an upgrade; to unpack it once more would show nothing else.
    await machine.good("sh /var/lib/dpkg/info/porchlight-agent.postinst configure 0.1.0");
    expect((await machine.run("systemctl is-enabled porchlight-agent")).output.trim()).toBe("disabled");
    expect(await show("ActiveState")).toBe("inactive");
    await machine.good("systemctl enable --now porchlight-agent");
  });

  it("is removed with the hub's own kept, and is the same hub when it comes back", async () => {
    const key = await identity();
    await machine.good("dpkg --remove porchlight-agent");
    expect((await machine.run("systemctl is-active porchlight-agent")).status).not.toBe(0);
    expect(await identity()).toBe(key);
    await machine.good(install);
    expect(await identity()).toBe(key);
    expect(await street.setBoth(245)).toEqual([245, 245]);
  });

  it("is purged with all that is the hub's own, twice if need be", async () => {
    await machine.good("dpkg --purge porchlight-agent");
    for (const path of ["/var/lib/porchlight-agent", "/etc/porchlight", "/usr/lib/porchlight-agent"])
      expect((await machine.run(`test -e ${path}`)).status).toBe(1);
    expect(await machine.good("find /etc/systemd /var/lib/systemd -name 'porchlight*'")).toBe("");
    await machine.good("dpkg --purge porchlight-agent");
  });
}
