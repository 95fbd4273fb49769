/** The cloud as a Debian package: its service may do little, Debian's own judges find nothing, and it installs, serves, upgrades and goes. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { itAtLength } from "../../test/parts/at-length.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { freePort } from "../../test/parts/free-port.ts";
import { ROOT } from "../../test/parts/program.ts";
import { buildCloud } from "./built.fixture.ts";
import { Machine } from "./machine.fixture.ts";
import { runTool } from "./tool.fixture.ts";

/** The highest exposure that `systemd-analyze security` may give: 0 is a fully confined service, 10 an unconfined one. */
const EXPOSURE = 2.0;
const FOLDER = join(ROOT, "packaging", "cloud");
const UNIT = join(FOLDER, "porchlight-cloud.service");

it("the cloud's service is confined by its unit", async () => {
  const args = ["security", "--offline=true", `--threshold=${EXPOSURE * 10}`, "--no-pager", UNIT];
  const { status, stdout } = await runTool("systemd-analyze", args);
  console.info(stdout.trim().split("\n").at(-1));
  expect(status).toBe(0);
});

it("the cloud's service is a unit that systemd accepts", async () => {
  expect(await mistakesIn(UNIT)).toBe("");
});

it("the cloud's service, as a template, is one node for each port", async () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-units-"));
  try {
    const more = join(folder, "porchlight-cloud@.service.d");
    mkdirSync(more);
    cpSync(UNIT, join(folder, "porchlight-cloud@.service"));
    cpSync(join(FOLDER, "port.conf"), join(more, "port.conf"));
    expect(await mistakesIn(join(folder, "porchlight-cloud@8081.service"))).toBe("");
    expect(readFileSync(join(more, "port.conf"), "utf8")).toMatch(/^\[Service\]\nEnvironment=PORCHLIGHT_PORT=%i$/m);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** What systemd finds wrong. On this machine the package is not installed; each other finding is a mistake. */
async function mistakesIn(unit: string): Promise<string> {
  const { output } = await runTool("systemd-analyze", ["verify", "--man=no", unit]);
  return output.replace(
    /^porchlight-cloud\S*\.service: Command \S+ is not executable: No such file or directory\n/m,
    "",
  );
}

describe("the cloud as a Debian package", () => {
  const stack = new AsyncDisposableStack();
  let machine: Machine;
  let built: string;
  let install: string;
  let port: number;
  beforeAll(async () => {
    built = stack.use(await buildCloud()).debianPackage;
    machine = stack.use(await Machine.start());
    install = `dpkg --force-unsafe-io --install ${machine.take(built)}`;
    // The machine has the network of this one, where the default port can be in use.
    port = await freePort();
    await configure("port.conf", `Environment=PORCHLIGHT_PORT=${port}`);
  });
  afterAll(() => stack.disposeAsync());

  /** A drop-in of the operator. */
  const configure = async (name: string, lines: string) => {
    const folder = "/etc/systemd/system/porchlight-cloud.service.d";
    await machine.good(`mkdir -p ${folder} && printf '[Service]\\n${lines}\\n' > ${folder}/${name}`);
    await machine.good("systemctl daemon-reload");
  };
  const show = (property: string) => machine.good(`systemctl show --value --property ${property} porchlight-cloud`);
  const running = () =>
    eventually("the cloud accepts requests", async () => {
      const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
      return status === 200 && (await show("ActiveState")) === "active" && (await show("MainPID"));
    });
  const key = () => machine.good("cat /var/lib/porchlight-cloud/secret.key");
  const account = async (path: string) => {
    const body = JSON.stringify({ email: "owner@example.com", password: "correct horse battery" });
    const headers = { "content-type": "application/json" };
    return (await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body })).status;
  };

  itAtLength("is clean by lintian", async () => {
    const args = ["--allow-root", "--fail-on", "warning", "--dont-check-part", "binaries/spelling"];
    const { status, output } = await runTool("lintian", [...args, built]);
    const findings = output.replace("running with root privileges is not recommended!\n", "");
    expect({ status, findings }).toEqual({ status: 0, findings: "" });
  });

  itAtLength("is the same bytes when it is built at another time, elsewhere, with other habits", async () => {
    using again = await buildCloud({ TZ: "Pacific/Auckland", LC_ALL: "C" }, "077");
    expect(readFileSync(again.debianPackage).equals(readFileSync(built))).toBe(true);
  });

  it("is installed, serves the API and the portal, and keeps its settings and data to itself", async () => {
    await machine.good(install);
    expect((await machine.run("command -v node")).status).not.toBe(0);
    await running();
    expect(await machine.good("systemctl is-enabled porchlight-cloud")).toBe("enabled");
    const modes = "stat -c '%a %U %G' /var/lib/porchlight-cloud /etc/porchlight-cloud/cloud.yaml";
    expect(await machine.good(modes)).toBe("700 porchlight-cloud porchlight-cloud\n640 root porchlight-cloud");
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain("<title>");
    expect((await fetch(`http://127.0.0.1:${port}/docs`)).status).toBe(200);
    expect(await account("/api/accounts")).toBe(201);
  });

  it("runs without capabilities and new privileges, under a system-call filter, as its own user", async () => {
    const pid = await running();
    const status = await machine.good(`cat /proc/${pid}/status`);
    expect(status).toMatch(/^CapBnd:\s+0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(status).toMatch(/^Seccomp:\s+2$/m);
    expect(await machine.good(`stat -c %U /proc/${pid}`)).toBe("porchlight-cloud");
  });

  it("has its commands on the service's own settings and data, for root as the service's user", async () => {
    expect(await machine.good("porchlight-cloud check-config")).toBe("the settings are valid");
    await machine.good(`PORCHLIGHT_PORT=${port} porchlight-cloud health`);
    await machine.good("porchlight-cloud backup /var/lib/porchlight-cloud/today.db");
    expect(await machine.good("stat -c '%a %U' /var/lib/porchlight-cloud/today.db")).toBe("600 porchlight-cloud");
    const other = "setpriv --reuid nobody --regid nogroup --clear-groups porchlight-cloud";
    expect(await machine.run(`${other} check-config`)).toMatchObject({
      status: 1,
      output: expect.stringContaining("use sudo"),
    });
    expect((await machine.run(`${other} --version`)).status).toBe(0);
  });

  // Not by `LoadCredential`: in this machine no service can read the folder that systemd makes for its credentials.
  it("takes a secret from a file, which no environment and no command line shows", async () => {
    const token = "hush-hush-hush-hush";
    const path = "/etc/porchlight-cloud/metrics-token";
    await machine.good(`install -m 0640 -g porchlight-cloud /dev/null ${path} && echo ${token} > ${path}`);
    await configure("secret.conf", `Environment=PORCHLIGHT_METRICS_TOKEN_FILE=${path}`);
    await machine.good("systemctl restart porchlight-cloud");
    const pid = await running();
    // As from another machine.
    const asked = (authorization: string) =>
      fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization, "x-forwarded-for": "192.0.2.1" } });
    expect((await asked(`Bearer ${token}`)).status).toBe(200);
    expect((await asked("Bearer another")).status).toBe(404);
    expect(await machine.good(`cat /proc/${pid}/environ /proc/${pid}/cmdline`)).not.toContain("hush");
  });

  it("is upgraded with its data, keys and settings kept, and runs on", async () => {
    await machine.good("echo 'pageKilobytes: 512' >> /etc/porchlight-cloud/cloud.yaml");
    const [before, keys, settings] = [
      await running(),
      await key(),
      await machine.good("cat /etc/porchlight-cloud/cloud.yaml"),
    ];
    await machine.good(install);
    expect(await running()).not.toBe(before);
    expect([await key(), await machine.good("cat /etc/porchlight-cloud/cloud.yaml")]).toEqual([keys, settings]);
    expect(await account("/api/accounts/login")).toBe(201);
  });

  it("stays disabled through an upgrade", async () => {
    await machine.good("systemctl disable --now porchlight-cloud");
    await machine.good("sh /var/lib/dpkg/info/porchlight-cloud.postinst configure 0.1.0");
    expect((await machine.run("systemctl is-enabled porchlight-cloud")).output.trim()).toBe("disabled");
    expect(await show("ActiveState")).toBe("inactive");
    await machine.good("systemctl enable --now porchlight-cloud");
    await running();
  });

  it("is removed with its data kept, and is the same service when it comes back", async () => {
    await machine.good("dpkg --remove porchlight-cloud");
    expect((await machine.run("systemctl is-active porchlight-cloud")).status).not.toBe(0);
    await machine.good(install);
    await running();
    expect(await account("/api/accounts/login")).toBe(201);
  });

  it("stops the nodes of single ports when it is removed", async () => {
    const other = await freePort();
    await machine.good("systemctl disable --now porchlight-cloud");
    await machine.good(`systemctl start porchlight-cloud@${other}`);
    await eventually("the node accepts requests", async () => (await fetch(`http://127.0.0.1:${other}/readyz`)).ok);
    await machine.good("dpkg --remove porchlight-cloud");
    expect((await machine.run(`systemctl is-active porchlight-cloud@${other}`)).output.trim()).not.toBe("active");
  });

  it("is purged with all that is its own, twice if need be", async () => {
    await machine.good("dpkg --purge porchlight-cloud");
    for (const path of ["/var/lib/porchlight-cloud", "/etc/porchlight-cloud", "/usr/lib/porchlight-cloud"])
      expect((await machine.run(`test -e ${path}`)).status).toBe(1);
    await machine.good("dpkg --purge porchlight-cloud");
  });
});
