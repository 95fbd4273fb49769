/** The Python client: its generated modules are those of the document, and it does against the real service what its page states. */
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ContractCloud, type Owner } from "./cloud.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SDK = join(ROOT, "sdk-python");
/** Debian's, also when there are others. */
const PYTHON = "/usr/bin/python3";

let folder: string;
let cloud: ContractCloud;
let owner: Owner;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-python-"));
  cloud = await ContractCloud.start("SQLite");
  owner = await cloud.owner();
});
afterAll(async () => {
  await cloud[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs tests of the client, with warnings as errors. @throws Error with what failed */
async function python(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const paths = [join(SDK, "src"), join(SDK, "tests")].join(":");
  const all = { PATH: "/usr/bin:/bin", PYTHONPATH: paths, PYTHONDONTWRITEBYTECODE: "1", PYTHONUTF8: "1", ...env };
  const { stderr } = await promisify(execFile)(PYTHON, ["-W", "error", ...args], { cwd: SDK, env: all });
  return stderr;
}

test("the generated modules match the service's document: `npm run sdk:python` writes them", () => {
  execFileSync(process.execPath, [join(ROOT, "scripts/sdk-python.mjs"), folder]);
  for (const file of ["types.py", "_operations.py"]) {
    const committed = readFileSync(join(SDK, "src/porchlight", file), "utf8");
    expect(committed === readFileSync(join(folder, file), "utf8"), `${file}: npm run sdk:python`).toBe(true);
  }
});

test("its parts hold on recorded bytes and broken connections", async () => {
  expect(await python(["-m", "unittest", "discover", "-s", "tests", "-t", "tests"])).toMatch(/\nOK\n$/);
});

test("it does against the running service what its page states", async () => {
  const env = {
    PORCHLIGHT_API_URL: cloud.url,
    PORCHLIGHT_ENVIRONMENT: owner.environmentId,
    PORCHLIGHT_TOKEN: owner.userToken,
    PORCHLIGHT_SERVER_TOKEN: owner.serverToken,
  };
  expect(await python(["-m", "unittest", "discover", "-s", "tests/service", "-t", "tests/service"], env)).toMatch(
    /\nOK\n$/,
  );
});

test("its types are right, and its files have one form", () => {
  const types = { cwd: join(SDK, "src"), encoding: "utf8", stdio: "pipe" } as const;
  const cache = join(folder, "mypy");
  execFileSync("/usr/bin/mypy", ["--strict", "--cache-dir", cache, "--python-version", "3.9", "porchlight"], types);
  execFileSync("/usr/bin/black", ["--check", "--quiet", "-l", "120", "-t", "py39", SDK], { stdio: "pipe" });
});

test("pip installs it, and nothing else with it", () => {
  const source = join(folder, "source");
  const target = join(folder, "target");
  // Building writes beside its sources.
  cpSync(SDK, source, { recursive: true });
  const offline = ["--no-index", "--no-build-isolation", "--no-cache-dir", "--disable-pip-version-check"];
  execFileSync(PYTHON, ["-m", "pip", "install", "-q", ...offline, "--target", target, source], { stdio: "pipe" });
  const program = "import porchlight, pathlib; print(pathlib.Path(porchlight.__file__).with_name('py.typed').exists())";
  const printed = execFileSync(PYTHON, ["-c", program], { env: { PYTHONPATH: target }, encoding: "utf8" });
  expect(printed).toBe("True\n");
});
